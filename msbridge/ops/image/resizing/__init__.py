"""Images: resizing, sampling at given places, cropping."""
