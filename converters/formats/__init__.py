"""File formats: each one a `read` that returns entries lazily and a `write` that streams them."""
