"""Recurrent operators, as the primitives of accelerators give them: with every gate among the outputs."""
