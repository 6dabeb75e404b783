"""Device placement of a tensor: on which device, in which memory."""
