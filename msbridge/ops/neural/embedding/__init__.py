"""Looking rows up in a table."""
