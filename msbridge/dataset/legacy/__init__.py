"""Data processing of earlier releases."""
