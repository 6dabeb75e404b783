"""Process groups: how a process was launched, who is who in a group, and what a group can do with tensors."""
