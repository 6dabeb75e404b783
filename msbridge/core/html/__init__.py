"""What HTML pages of msbridge share: the stylesheet, and tables in notebooks."""
