"""How operators call torch: the families, mixed and wide dtypes, half precision, layouts."""
