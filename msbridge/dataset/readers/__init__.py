"""Readers: `indexed` ones find a row by its index, `streamed` ones read rows one after the other."""
