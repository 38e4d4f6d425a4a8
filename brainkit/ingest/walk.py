"""Find the files below a folder, and say why the others were left out."""

from __future__ import annotations

import os
import stat
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pathspec import GitIgnoreSpec

from brainkit.errors import NoSuchFolder, nearest
from brainkit.ingest.deny import denied, denied_by_content
from brainkit.ingest.ignore import (
    IGNORE_FILES,
    IgnoreFile,
    excludes,
    globs,
    ignored_by,
    read_ignore_file,
)
from brainkit.settings import Settings

_OWN = "excluded: the brain's own folder"


@dataclass(frozen=True, slots=True)
class Found:
    """A file to read.

    path : the real file, also where ``relative`` is a link to it.
    relative : POSIX path from the root.
    inode : (device, inode); no two found files share one.
    """

    path: Path
    relative: str
    size: int
    mtime_ns: int
    inode: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Passed:
    """A file or folder that was left out. A folder stands for everything below it.

    relative : POSIX path from the root, unprintable characters escaped; ``.`` is the root itself.
    """

    relative: str
    reason: str


def walk(
    root: Path,
    *,
    include: Sequence[str] | None = None,
    exclude: Sequence[str] | None = None,
    avoid: Sequence[Path] = (),
    settings: Settings,
) -> Iterator[Found | Passed]:
    """Yield every file below ``root`` to read, and what was left out with the reason.

    root : a folder, or one file (patterns do not apply to it). Links in it are resolved first;
        ignore files above it have no say, so a folder gives the same sources wherever it lies.
    include, exclude : gitignore-style globs on the relative POSIX path: ``*`` stays within one
        folder, ``**`` crosses, a pattern without a slash matches at any depth, a folder's name
        means everything below it. A file must match an include (where given) and no exclude;
        files that no include names are not reported.
    avoid : folders never entered, such as the brain's own.

    Denied names stay out even where included. A folder that is ignored, excluded or denied is not
    scanned. Links to folders are not followed; a link to a file counts only if the file lies below
    the root and was not found under its own name. Of hard links the first path counts.

    Returns in the order of the relative path, by code point.
    Raises NoSuchFolder if the root is missing or unreadable, InvalidSetting for a pattern that
    cannot match.
    """
    base = _resolved(root)
    wanted = None if include is None else globs(include, field="include")
    unwanted = () if exclude is None else (excludes(exclude),)
    avoided = {str(folder.expanduser().resolve()) for folder in avoid}
    if not avoided.isdisjoint(map(str, (base, *base.parents))):
        return iter([Passed(".", _OWN)])
    if base.is_dir():
        scan = _Scan(base, wanted, unwanted, avoided, settings)
        scan.descend(root)
    else:
        scan = _Scan(base.parent, None, (), avoided, settings)
        scan.see(base.name, str(base))
    return iter(scan.settled())


def too_large(size: int, *, settings: Settings) -> str:
    """Return the reason for leaving out a file of this many bytes.

    >>> too_large(12_000_000, settings=Settings())
    '12,000,000 bytes; the limit is 10,000,000 (max_file_bytes)'
    """
    return f"{size:,} bytes; the limit is {settings.max_file_bytes:,} (max_file_bytes)"


@dataclass(slots=True)
class _Scan:
    """One walk: first all names, then the files behind them, so that real files precede links."""

    root: Path
    include: GitIgnoreSpec | None
    exclude: tuple[IgnoreFile, ...]
    closed: set[str]
    """Folders that neither the walk nor a link may enter."""
    settings: Settings
    files: list[tuple[str, str]] = field(default_factory=list)
    links: list[tuple[str, str]] = field(default_factory=list)
    passed: list[Passed] = field(default_factory=list)
    found: dict[tuple[int, int], Found] = field(default_factory=dict)

    def descend(self, given: Path) -> None:
        waiting: list[tuple[str, str, tuple[IgnoreFile, ...]]] = [("", str(self.root), ())]
        while waiting:
            relative, path, above = waiting.pop()
            try:
                with os.scandir(path) as scanned:
                    entries = list(scanned)
            except OSError as error:
                if not relative:
                    raise NoSuchFolder(
                        f"{str(given)!r} cannot be read ({error.strerror}); give a folder or a "
                        "file that you may read."
                    ) from error
                self._pass(relative, f"cannot be read: {error.strerror}")
                continue
            reason = denied_by_content(Path(path), (entry.name for entry in entries))
            if reason:
                self.closed.add(path)
                self._pass(relative or ".", f"left out: {reason}")
                continue
            ignores = above + _ignore_files(entries, relative)
            for entry in entries:
                below = f"{relative}/{entry.name}" if relative else entry.name
                if entry.is_dir(follow_symlinks=False):
                    if self._open(below, entry.path, ignores):
                        waiting.append((below, entry.path, ignores))
                else:
                    self.see(below, entry.path, ignores=ignores, is_link=entry.is_symlink())

    def see(
        self,
        relative: str,
        path: str,
        *,
        ignores: tuple[IgnoreFile, ...] = (),
        is_link: bool = False,
    ) -> None:
        """Keep the name of a file or link, or note why not."""
        if self.include is not None and not self.include.match_file(relative):
            return
        reason = self._reason(relative, ignores, is_folder=False)
        if reason:
            self._pass(relative, reason)
        else:
            (self.links if is_link else self.files).append((relative, path))

    def _open(self, relative: str, path: str, ignores: tuple[IgnoreFile, ...]) -> bool:
        reason = _OWN if path in self.closed else self._reason(relative, ignores, is_folder=True)
        depth, limit = relative.count("/") + 1, self.settings.max_depth
        if not reason and depth > limit:
            reason = f"{depth:,} folders deep; the limit is {limit:,} (max_depth)"
        if reason:
            self._pass(relative, reason)
        return not reason

    def _reason(
        self, relative: str, ignores: tuple[IgnoreFile, ...], *, is_folder: bool
    ) -> str | None:
        name = relative.rpartition("/")[2]
        if any(map(_unprintable, name)):
            return "its name has a line break, a control character or undecodable bytes"
        reason = denied(name, is_folder=is_folder)
        if reason:
            return f"left out: {reason}"
        if ignored_by(self.exclude, relative, is_folder=is_folder):
            return "excluded by a pattern"
        origin = ignored_by(ignores, relative, is_folder=is_folder)
        return f"ignored by {origin}" if origin else None

    def settled(self) -> list[Found | Passed]:
        """Look behind the names, and return everything in order."""
        for relative, path in sorted(self.files):
            self._settle(relative, path)
        for relative, path in sorted(self.links):
            target = self._target(relative, path)
            if target:
                self._settle(relative, target)
        return sorted([*self.found.values(), *self.passed], key=lambda one: one.relative)

    def _settle(self, relative: str, path: str) -> None:
        try:
            status = os.lstat(path)  # a DirEntry's own stat has no inode on Windows
        except OSError as error:
            self._pass(relative, f"cannot be read: {error.strerror}")
            return
        inode = (status.st_dev, status.st_ino)
        if not stat.S_ISREG(status.st_mode):
            self._pass(relative, "not a file but a pipe, socket or device")
        elif inode in self.found:
            self._pass(relative, f"the same file as {self.found[inode].relative}")
        elif status.st_size > self.settings.max_file_bytes:
            self._pass(relative, too_large(status.st_size, settings=self.settings))
        else:
            size, mtime_ns = status.st_size, status.st_mtime_ns
            self.found[inode] = Found(Path(path), relative, size, mtime_ns, inode)

    def _target(self, relative: str, path: str) -> str | None:
        """Return the file that a link stands for, or note why it may not be read."""
        try:
            target = Path(path).resolve(strict=True)
        except (OSError, RuntimeError):  # RuntimeError: a circle, before Python 3.13
            self._pass(relative, "a link that leads nowhere")
            return None
        if target.is_dir():
            reason: str | None = "a link to a folder; such links are not followed"
        elif not target.is_relative_to(self.root):
            reason = "a link to a file outside the folder"
        elif not self.closed.isdisjoint(map(str, target.parents)):
            reason = "a link into a folder left out"
        else:
            denial = _denied_on_the_way(target.relative_to(self.root))
            reason = f"a link to something left out: {denial}" if denial else None
        if reason:
            self._pass(relative, reason)
        return None if reason else str(target)

    def _pass(self, relative: str, reason: str) -> None:
        shown = (ascii(one)[1:-1] if _unprintable(one) else one for one in relative)
        self.passed.append(Passed("".join(shown), reason))


def _resolved(root: Path) -> Path:
    try:
        base = root.expanduser().resolve(strict=True)
    except (OSError, RuntimeError) as error:  # RuntimeError: no such user, or a circle of links
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise NoSuchFolder(
            f"{str(root)!r} cannot be opened ({why}); give an existing folder or file"
            f"{nearest(root.name, _siblings(root))}."
        ) from error
    if not base.is_dir() and not base.is_file():
        raise NoSuchFolder(f"{str(root)!r} is neither a folder nor a file; give one of these.")
    return base


def _siblings(path: Path) -> list[str]:
    try:
        return os.listdir(path.expanduser().parent)
    except (OSError, RuntimeError):
        return []


def _ignore_files(entries: list[os.DirEntry[str]], folder: str) -> tuple[IgnoreFile, ...]:
    """Read a folder's ignore files, weakest first. Links do not count, as in git."""
    present = {entry.name: entry for entry in entries if entry.is_file(follow_symlinks=False)}
    found = []
    for name in IGNORE_FILES:
        if name in present:
            try:
                found.append(read_ignore_file(Path(present[name].path), folder=folder))
            except OSError:
                continue  # it is also one of the files found, and loading it says what is wrong
    return tuple(found)


def _denied_on_the_way(target: Path) -> str | None:
    *folders, name = target.parts
    reasons = [denied(folder, is_folder=True) for folder in folders]
    reasons.append(denied(name, is_folder=False))
    return next(filter(None, reasons), None)


def _unprintable(letter: str) -> bool:
    return unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp")
