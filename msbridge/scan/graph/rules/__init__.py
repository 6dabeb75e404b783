"""The rules of `--graph`: one file for each family, and the table of them all."""
