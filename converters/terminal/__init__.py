"""What conversions and checkpoints look like on a terminal."""
