"""Sparse tensors: COOTensor, CSRTensor and RowTensor, and operators on their parts."""
