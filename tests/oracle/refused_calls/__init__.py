"""Recording which calls the real MindSpore refuses, for strict mode."""
