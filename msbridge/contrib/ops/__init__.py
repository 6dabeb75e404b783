"""Operators that public scripts hardly ever use: generated, internal, of second order, of reinforcement learning."""
