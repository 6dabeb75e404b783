"""Calls of torch by operators: the families, mixed and wide dtypes, half precision, layouts."""
