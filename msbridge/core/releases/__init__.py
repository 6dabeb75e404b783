"""The release that is followed, overrides and signatures of earlier ones, and names that a release does not have."""
