"""The engine: nodes, operators, the fluent class `Dataset`, samplers, and the iterators that run a pipeline."""
