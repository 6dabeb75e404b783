"""Forms of what other topics compute, and views."""
