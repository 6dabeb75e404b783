"""Order and state: dependencies, writes to Parameters, and questions about a tensor's shape and dtype."""
