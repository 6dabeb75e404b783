"""Fused kernels of networks for Ascend: experts, rotary positions, attention in parts."""
