"""Learning rates that change with the step: as Cells, and as lists."""
