"""Requirements of a script on its machine: an Ascend, packages of others, files at fixed places."""
