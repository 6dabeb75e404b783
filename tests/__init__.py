"""The tests of msbridge, and what they share: `from tests.zoo.pairs import …`."""
