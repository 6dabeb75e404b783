"""Parameter, its initializers, and the tables and scalars that optimizers keep."""
