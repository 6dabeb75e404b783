"""Creation, control flow, collectives, and what MindSpore's own modules call."""
