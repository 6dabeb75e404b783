"""The methods and operators of Tensor."""
