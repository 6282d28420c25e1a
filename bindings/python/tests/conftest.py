from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
ZOO = Path(__file__).resolve().parents[1] / "examples/schemas/zoo-1.0.0.json"


@pytest.fixture
def zoo() -> bytes:
    """The schema of the package `zoo`."""
    return ZOO.read_bytes()
