"""File formats: each one a `read` that gives entries lazily and a `write` that streams them."""
