"""Functions of numpy as earlier releases of MindSpore had them, by release."""
