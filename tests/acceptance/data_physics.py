"""Tiny data for networks of physics, in the formats of the real ones."""

from pathlib import Path

import numpy as np
from data import Maker

__all__ = ["burgers"]


def burgers() -> Maker:
    """A solution of Burgers' equation on a grid of places and times, as MindFlow's `Burgers.npz`: a decaying wave."""

    def make(at: Path) -> None:
        places, times = np.linspace(-1, 1, 64).reshape(-1, 1), np.linspace(0, 0.99, 20).reshape(-1, 1)
        wave = -np.sin(np.pi * places) * np.exp(-0.03 * times.T)
        np.savez(at / "Burgers.npz", x=places, t=times, usol=wave)

    return make
