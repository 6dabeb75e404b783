"""Special functions of each element: error, gamma, zeta and Bessel functions."""
