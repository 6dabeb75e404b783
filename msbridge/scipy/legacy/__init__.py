"""Functions of scipy as earlier releases of MindSpore had them, by release."""
