"""Overflow flags: of one tensor, and of all gradients since the flag was cleared, as Ascend's cores keep it."""
