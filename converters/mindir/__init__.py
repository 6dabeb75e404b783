"""`.mindir` files: graphs of operators with their parameters, read without making anything of them."""
