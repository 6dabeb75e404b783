"""Behaviour of earlier releases of MindSpore, by release."""
