"""Messages of protobuf: the definitions of MindSpore's files, as protobuf's own classes."""
