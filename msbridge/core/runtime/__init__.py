"""The runtime below: devices, threads, files, streams, observers and call wrappers."""
