"""Files: bytes read by position, written such that only complete files appear."""
