"""Private modules of MindSpore that scripts hardly ever import."""
