"""A port that is kept for the processes of a job until they meet at it.

Between a look for a free port and the first rank that listens there lie seconds, in which the system may assign the
port to anybody: it is therefore kept by a socket that is bound, and does not listen. Linux then assigns it to none that
asks for any port, and lets those listen on it who name it with SO_REUSEADDR, as torch's store does.
"""

import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def reserved_port() -> Iterator[int]:
    """Yield a port of this machine that nobody else is given meanwhile; elsewhere than on Linux one that was free."""
    with socket.socket() as keeper:
        keeper.bind(("127.0.0.1", 0))
        port = int(keeper.getsockname()[1])
        if sys.platform == "linux":
            keeper.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        else:
            keeper.close()
        yield port
