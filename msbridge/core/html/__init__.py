"""HTML shared by pages of msbridge: the frame, the style sheet, tables and bars, SVG; and tables in notebooks."""
