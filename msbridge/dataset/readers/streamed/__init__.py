"""Readers of streams: rows come one after the other."""
