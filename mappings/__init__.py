"""Facts as tables: names, defaults, orders and paths that differ between torch, MindSpore and their releases."""

from msbridge.mappings.tables import TableError, columns, table, tables

__all__ = ["TableError", "columns", "table", "tables"]
