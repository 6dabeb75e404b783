"""Readers of streams: rows come in sequence."""
