"""The format of MindRecord files: header, schema, rows, index, encryption."""
