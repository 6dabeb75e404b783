"""What goes wrong with a checkpoint."""


class CheckpointError(ValueError):
    """A checkpoint that cannot be read, written or converted as asked; the message names file, entry and offset."""


class MismatchError(CheckpointError):
    """Names or shapes that do not fit the model, the rules or each other; or guesses where none are wanted."""


class UnsafeError(CheckpointError):
    """A file that tries to run code."""
