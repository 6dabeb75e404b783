"""Readers of datasets of documents."""
