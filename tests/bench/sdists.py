"""Source archives of named releases, fetched by pip's own code and never run.

`pip download` would run each archive's setup.py to learn what it requires, and those of ten years
ago fail under this Python. pip's finder and downloader alone do not. They are no public interface:
where they have changed, put the archives into the folder by hand.
"""

from __future__ import annotations

import tarfile
from collections.abc import Iterable
from pathlib import Path


def fetched(releases: Iterable[tuple[str, str]], folder: Path) -> dict[tuple[str, str], Path]:
    """Return (name, version) -> archive of each release, downloading what is not there yet."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted = list(releases)
    missing = [release for release in wanted if _kept(folder, *release) is None]
    if missing:
        _download(missing, folder)
    found = {release: _kept(folder, *release) for release in wanted}
    return {release: path for release, path in found.items() if path is not None}


def unpacked(archive: Path, folder: Path) -> Path:
    """Unpack what is Python in an archive; return its top folder."""
    with tarfile.open(archive) as packed:
        members = [one for one in packed.getmembers() if one.name.endswith(".py")]
        packed.extractall(folder, members=members, filter="data")
    (top,) = {one.name.split("/")[0] for one in members}
    return folder / top


def _kept(folder: Path, name: str, version: str) -> Path | None:
    """An archive's name is spelled as the project liked it at the time: Sphinx, sphinx."""
    called = f"{name}-{version}.tar.gz".casefold()
    return next((path for path in folder.glob("*.gz") if path.name.casefold() == called), None)


def _download(releases: list[tuple[str, str]], folder: Path) -> None:
    try:
        from pip._internal.commands import create_command
        from pip._internal.network.download import Downloader
        from pip._vendor.packaging.specifiers import SpecifierSet

        command = create_command("download")
        options, _ = command.parse_args(["--no-binary=:all:", "--pre", "--quiet", "any"])
        with command.main_context():
            session = command.get_default_session(options)
            finder = command._build_package_finder(options, session)
            for name, version in releases:
                found = finder.find_best_candidate(name, SpecifierSet(f"=={version}"))
                if found.best_candidate is None:
                    raise SystemExit(f"there is no source archive of {name} {version}")
                link = found.best_candidate.link
                path, _ = Downloader(session, "off")(link, str(folder))
                if link.as_hashes():
                    link.as_hashes().check_against_path(path)
    except (ImportError, AttributeError, TypeError) as error:
        raise SystemExit(
            f"this pip works otherwise ({error}); put the archives of "
            f"{', '.join(map(' '.join, releases))} into {folder}"
        ) from None
