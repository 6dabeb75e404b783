"""Random choices among given elements, classes and places."""
