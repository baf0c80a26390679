#!/usr/bin/env python3
"""Does every work of the bibliography have a page that refers to it, and every item of further reading a work?

usage: citations.py SOURCE
"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "docs"))
from bibliography import faults

if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sentences = list(faults(Path(sys.argv[1])))
    if sentences:
        sys.exit("\n".join("citations: " + sentence for sentence in sentences))
