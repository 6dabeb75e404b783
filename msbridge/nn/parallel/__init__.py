"""Cells and functions that run divided over processes: AutoParallel, shard, reshard."""
