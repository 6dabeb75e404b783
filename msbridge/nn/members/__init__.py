"""Members of a layer, loss, optimizer or training step for a script's subclass, besides what these compute with.

MindSpore's own keep the operators of their `construct` as attributes, and a subclass with another `construct` calls
them. Here one call of torch computes, and an operator is made when a script first reads it.
"""
