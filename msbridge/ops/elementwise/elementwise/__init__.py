"""Functions of each element: signs, rounding, powers, logarithms, trigonometry, limits, casts."""
