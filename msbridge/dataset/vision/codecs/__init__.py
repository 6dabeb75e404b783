"""Image and video codecs: decoding, encoding, files, PIL images."""
