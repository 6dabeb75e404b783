"""Images at other sizes and places: areas, filters, glimpses, patches, dilation."""
