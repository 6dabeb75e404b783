"""Attention in one call, and the steps that attention layers of scripts are built of."""
