"""Messages of protobuf: MindSpore's files as objects, read and written without the protobuf package."""
