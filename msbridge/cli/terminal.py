"""Errors in one line, with the flags of the command line for the options of the library."""

from msbridge.core.runtime.printable import printable


def format_error(error: BaseException) -> str:
    """Format an error in one line, with what helps in flags."""
    from msbridge.converters.errors import CheckpointError
    from msbridge.converters.options import flag_of

    if isinstance(error, OSError) and error.filename is not None and error.strerror:
        return printable(f"{error.filename}: {error.strerror}.")
    if isinstance(error, MemoryError):
        return f"out of memory. {error}".rstrip()
    return printable(error.format_message(flag_of) if isinstance(error, CheckpointError) else str(error))
