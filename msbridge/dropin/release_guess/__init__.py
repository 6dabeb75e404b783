"""Guess the release that a script was written for: from what its project says, and from the names that it uses."""

from msbridge.dropin.release_guess.guessing import Guess, Series, guess, last_release, series_of, weigh

__all__ = ["Guess", "Series", "guess", "last_release", "series_of", "weigh"]
