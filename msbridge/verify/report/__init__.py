"""Report: findings in words, for terminals, browsers, scripts and test systems."""
