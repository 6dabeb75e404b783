"""Systems of equations with sparse matrices."""

from msbridge.scipy.sparse import linalg

__all__ = ["linalg"]
