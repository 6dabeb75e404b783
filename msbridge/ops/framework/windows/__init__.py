"""Windows of signal processing."""
