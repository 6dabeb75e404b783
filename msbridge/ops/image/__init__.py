"""Images and boxes: resizing, sampling, suppression, colours."""
