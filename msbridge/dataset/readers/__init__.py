"""Readers: `indexed` ones find a row by its index, `streamed` ones read rows in sequence."""
