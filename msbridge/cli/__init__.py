"""The command line: `msbridge run`, `convert`, `inspect`, `verify`, `doctor`."""
