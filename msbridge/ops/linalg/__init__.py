"""Linear algebra and Fourier transforms."""
