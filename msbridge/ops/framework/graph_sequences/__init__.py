"""Python's tuples, lists, dicts and numbers under the names that graph mode has for their operators."""
