"""What a script needs of its machine: an Ascend, packages of others, files at fixed places."""
