"""The doctor: what is installed and found here, and what is wrong with it. Without torch, where that is missing."""
