"""What runs below: devices, threads, files, streams, observers and call wrappers."""
