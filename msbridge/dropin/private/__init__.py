"""Names that scripts import from MindSpore's private modules."""
