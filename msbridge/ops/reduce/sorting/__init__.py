"""Order: sorting, largest elements, searching in sorted data, distinct elements."""
