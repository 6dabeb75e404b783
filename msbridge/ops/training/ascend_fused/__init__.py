"""What networks for Ascend compute in one kernel: experts, rotary positions, attention in parts."""
