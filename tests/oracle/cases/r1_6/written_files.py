"""The answers of `written_files` of 1.6."""

from tests.oracle.cases.written_files import CASES, case_context, checkpoint, network, rows

__all__ = ["CASES", "case_context", "checkpoint", "network", "rows"]
