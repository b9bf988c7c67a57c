"""Packs to render, as small as a test needs them."""

from tests.packs.conftest import write_pack

__all__ = ["write_pack"]
