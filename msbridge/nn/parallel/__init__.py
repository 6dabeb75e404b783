"""Cells and functions of several processes: DistributedDataParallel; divided over them AutoParallel, shard, reshard."""
