"""Where a tensor lies: on which device, in which memory."""
