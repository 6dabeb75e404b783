"""Networks in `.mindir` files: their graphs become Python functions that call our primitives.

`func_graph.py` opens a file; `lowering.py` settles which graphs become functions, and `codegen.py` writes them;
`primitives.py` finds the operators, and `values.py` makes the constants.
"""
