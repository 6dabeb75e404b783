"""Reading MindRecord files: by row number, in order, by the value of an indexed field."""
