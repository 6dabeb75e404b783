"""What distributions and bijectors rest on."""
