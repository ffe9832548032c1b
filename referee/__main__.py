"""`python -m referee`: settles how gRPC waits, which must come before it is imported, and runs `referee.process`."""

import sys

from referee.transport import settle

if __name__ == "__main__":
    settle()
    from referee.process import main

    sys.exit(main())
