"""Readers of audio files and of speech corpora."""
