"""Minima of functions, searches along a line, and assignments."""

from msbridge.scipy.optimize.line_search import line_search
from msbridge.scipy.optimize.linear_sum_assignment import linear_sum_assignment
from msbridge.scipy.optimize.minimize import OptimizeResults, minimize

__all__ = ["OptimizeResults", "line_search", "linear_sum_assignment", "minimize"]
