"""The files of `saved_files` as 2.0.0 writes them."""

from tests.oracle.cases.saved_files import CASES, case_context, checkpoint, recurrent, rows

__all__ = ["CASES", "case_context", "checkpoint", "recurrent", "rows"]
