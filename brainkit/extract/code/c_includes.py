"""Which file an #include of C and C++ means: paths may begin in any folder."""

from __future__ import annotations

import posixpath
from typing import Final

from tree_sitter import Node

from brainkit.extract.facts import Target
from brainkit.parse.grammar import text_of

_STANDARD: Final = frozenset(
    {
        *("aio", "algorithm", "any", "array", "assert", "atomic", "bitset", "cassert", "cctype"),
        *("cerrno", "cfloat", "charconv", "chrono", "cinttypes", "climits", "clocale", "cmath"),
        *("complex", "concepts", "condition_variable", "csetjmp", "csignal", "cstdarg", "cstddef"),
        *("cstdint", "cstdio", "cstdlib", "cstring", "ctime", "ctype", "cwchar", "deque"),
        *("dirent", "dlfcn", "errno", "exception", "execution", "fcntl", "filesystem", "float"),
        *("fnmatch", "format", "forward_list", "fstream", "functional", "future", "getopt"),
        *("glob", "grp", "initializer_list", "inttypes", "iomanip", "ios", "iostream", "istream"),
        *("iterator", "langinfo", "libgen", "limits", "limits", "list", "locale", "malloc", "map"),
        *("math", "memory", "mutex", "netdb", "new", "numeric", "optional", "ostream", "poll"),
        *("pthread", "pwd", "queue", "random", "ranges", "ratio", "regex", "sched", "semaphore"),
        *("set", "setjmp", "shared_mutex", "signal", "source_location", "span", "spawn"),
        *("sstream", "stack", "stdalign", "stdarg", "stdatomic", "stdbool", "stddef", "stdexcept"),
        *("stdint", "stdio", "stdlib", "stdnoreturn", "streambuf", "string", "string_view"),
        *("strings", "syslog", "system_error", "termios", "thread", "threads", "time", "tuple"),
        *("type_traits", "typeindex", "typeinfo", "uchar", "unistd", "unordered_map"),
        *("unordered_set", "utility", "utime", "valarray", "variant", "vector", "version", "wchar"),
        *("wctype", "windows", "winsock2", "ws2tcpip", "xlocale"),
    }
)
"""Headers of C, C++, POSIX and Windows, without their suffix."""


def included(node: Node, relative: str) -> tuple[list[Target], Target | None]:
    """Return where the file of an #include may be, and what it is called if it is not there.

    relative : path of the including file. First comes what is beside it, then what has that path
    below the root, then what has a path that ends so. A macro names no file.
    """
    given = node.child_by_field_name("path")
    if given is None or given.type not in ("string_literal", "system_lib_string"):
        return [], None
    path = text_of(given).strip('"<>')
    stem = posixpath.splitext(path)[0]
    quoted = given.type == "string_literal"
    if not quoted and stem in _STANDARD:
        return [], Target("name", path)
    beside = posixpath.normpath(posixpath.join(posixpath.dirname(relative), stem))
    below = posixpath.normpath(stem).lstrip("./")
    paths = [*([beside] if quoted else []), below]
    targets = [Target("path", one.replace("/", ".")) for one in dict.fromkeys(paths)]
    return [*targets, Target("name", below.replace("/", "."))], Target("name", path)
