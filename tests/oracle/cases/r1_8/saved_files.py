"""The files of `saved_files` as 1.8 writes them, and networks as it exports them."""

from tests.oracle.case import Case
from tests.oracle.cases import saved_files
from tests.oracle.cases._exported import NETWORKS, exported  # noqa: F401
from tests.oracle.cases.saved_files import case_context, checkpoint, recurrent, rows  # noqa: F401

CASES = [*saved_files.CASES, *(Case(f"exported({kind!r})") for kind in NETWORKS)]
