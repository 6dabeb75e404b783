"""From torch's exceptions to MindSpore's classes, in the user's words."""
