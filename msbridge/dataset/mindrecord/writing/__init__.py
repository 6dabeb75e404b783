"""Writing MindRecord files: shards, their indexes, and the replacement of a group of files."""
