"""Questions that MindSpore's compiler answers about shapes and constants."""
