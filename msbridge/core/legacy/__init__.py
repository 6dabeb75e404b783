"""What earlier releases of MindSpore did, by release."""
