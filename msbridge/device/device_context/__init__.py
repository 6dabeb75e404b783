"""Settings of one kind of device each."""
