"""`python -m benchmarks [NAME…]`: runs benchmarks by name, all of them without one, each in a fresh process."""

import argparse
import subprocess
import sys
from pathlib import Path

SHARED = {"__init__", "__main__", "measure"}
NAMES = sorted(path.stem for path in Path(__file__).parent.glob("*.py") if path.stem not in SHARED)


def main(words: list[str]) -> int:
    """Exit code: 0 if all ran, 2 for an unknown name."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Measure against peers; each figure is one JSON line on standard output.",
        epilog="Example: python -m benchmarks engine referee",
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(NAMES)}; none: all of them")
    wanted = parser.parse_args(words).names
    unknown = [name for name in wanted if name not in NAMES]
    if unknown:
        print(f"no benchmark named {', '.join(unknown)}: there are {', '.join(NAMES)}", file=sys.stderr)
        return 2
    code = 0
    for name in wanted or NAMES:
        run = f"from benchmarks.{name} import main; main()"
        code |= subprocess.run([sys.executable, "-c", run], cwd=Path(__file__).parents[1], check=False).returncode
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
