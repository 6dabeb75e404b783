"""The core that everything rests on: tensors, parameters, types, autodiff, random state, context, releases."""
