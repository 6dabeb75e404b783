"""The section `--names` of a scan: what of MindSpore is used that msbridge does not have."""
