"""Distributions, bijectors, and networks whose weights or codes are random."""
