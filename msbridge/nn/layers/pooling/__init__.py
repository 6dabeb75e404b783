"""Pooling layers and their inverse."""
