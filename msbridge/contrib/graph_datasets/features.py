"""Features of nodes or edges: one array of those that have any, and zeros for the others."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Features:
    """One kind of feature."""

    values: np.ndarray  # of those nodes or edges that have it, (n, ...)
    places: np.ndarray  # for each node or edge its place in `values`, or -1

    def of(self, wanted: np.ndarray) -> np.ndarray:
        """Return the features of the wanted nodes or edges, without axes of one element; zeros for -1."""
        places = np.where(wanted < 0, -1, self.places[wanted])
        found = self.values[places]
        found[places < 0] = 0
        return np.squeeze(found)
