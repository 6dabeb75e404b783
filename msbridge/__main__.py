"""`python -m msbridge` is the command `msbridge`."""

import sys

from msbridge.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
