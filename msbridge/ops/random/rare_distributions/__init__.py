"""Random numbers of rarer distributions."""
