"""The scripts here are run by hand; pytest's doctest collection must not import them."""

from __future__ import annotations

collect_ignore_glob = ["*.py"]
