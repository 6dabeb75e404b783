"""Execution: the threads and processes of an iterator, what reads ahead, and the report of where the time went."""
