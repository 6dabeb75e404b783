"""Recurrent operators with every gate among the outputs, as the primitives of accelerators have them."""
