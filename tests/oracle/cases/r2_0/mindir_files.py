"""The networks of `mindir_files` as 2.0.0 exports them: in full, as its files number what the process has compiled."""

from tests.oracle.cases.mindir_files import CASES, case_context, exported

__all__ = ["CASES", "case_context", "exported"]
