"""The section `--graph` of a scan: what a real graph mode refuses or changes."""
