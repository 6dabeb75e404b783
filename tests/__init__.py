"""The tests of msbridge, and what they share: `from tests.verify.pairs import …`."""
