"""What HTML pages of msbridge share: the frame, the style sheet, tables and bars, SVG; and tables in notebooks."""
