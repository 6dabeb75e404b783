"""One network at a time, for the command line: building it by its name, its summary, the memory that training needs."""
