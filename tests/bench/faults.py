"""What can be done to a brain from outside: kills, full disks, lost rights, moves, races.

    python tests/bench/faults.py --kills 200 --seed 1
    python tests/bench/faults.py --only disk locks

Each try ends with a look at the brain by another process: it must open, agree with itself, and
answer exactly like a fresh brain of the state before or after; where a change was refused, by an
error of brainkit's own that says what to do. Anything else is lost, and told. POSIX only; what
needs root (a small file system, a read-only mount) or a C compiler (locks that the system refuses)
is left out without it, and the table says so. Status 1 if anything was lost.
"""

from __future__ import annotations

import argparse
import os
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from campaign import Row, World, in_child
from faults_moved import copies, moves, races
from faults_refused import disks, limits, locks, read_only, refusals, rights, stepped, steps_of
from rich.console import Console
from rich.table import Table

KINDS = ("ingest", "reembed", "rebuild", "labels")
console = Console(width=150, highlight=False)


def kills(world: World, given: argparse.Namespace) -> Iterator[Row]:
    """Kill -9 at random moments of each change, and at random steps around the swap."""
    share = given.kills // (len(KINDS) + 1)
    for name in KINDS:
        row = Row(f"kill -9: {name}")
        whole = world.settle(name)
        for _ in range(share):
            work, after = world.change(name)
            ended = in_child(work, kill_after=world.chance.uniform(0, whole))
            row.judge(world, ended, world.state, after)
        yield row
    row = Row("kill -9: swap")
    for _ in range(given.kills - share * len(KINDS)):
        work, after = world.change("ingest")
        last = steps_of(world, work)
        at = world.chance.randint(max(1, last - 25), last)
        ended = in_child(stepped(world, work, _killed(at)))
        row.judge(world, ended, world.state, after)
    yield row


def _killed(at: int) -> Callable[[int, str], None]:
    def act(number: int, event: str) -> None:
        if number == at:
            os.kill(os.getpid(), signal.SIGKILL)

    return act


FAULTS: dict[str, Callable[[World, argparse.Namespace], Iterator[Row]]] = {
    "kills": kills,
    "refusals": refusals,
    "limits": limits,
    "disk": disks,
    "readonly": read_only,
    "rights": rights,
    "races": races,
    "moves": moves,
    "copies": copies,
    "locks": locks,
}


def main() -> None:
    """Run the campaign and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--tries", type=int, default=20, help="of every other fault")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="+", choices=FAULTS, default=list(FAULTS))
    given = parser.parse_args()
    table = Table("fault", "tries", "done", "refused", "lost", "errors", title=f"seed {given.seed}")
    lost, began = 0, time.perf_counter()
    for name in given.only:
        # Not in the system's folder for temporary files, to which rebuilding may fall back.
        with tempfile.TemporaryDirectory(prefix=f"faults-{name}-", dir=Path.cwd()) as home:
            Path(home).chmod(0o755)
            world = World(Path(home), seed=given.seed)
            world.begin()
            for row in FAULTS[name](world, given):
                told = row.note or ", ".join(row.messages)
                counts = (row.tries, row.done, row.refused, len(row.lost))
                table.add_row(row.fault, *map(str, counts), told)
                console.print(f"[dim]{time.perf_counter() - began:6.0f} s[/] {row.fault}: {counts}")
                for kind, message in row.messages.items():
                    console.print(f"    {kind}: {message}", style="dim", markup=False)
                for why in row.lost:
                    console.print(f"    LOST {why}", markup=False)
                lost += len(row.lost)
    console.print(table)
    raise SystemExit(1 if lost else 0)


if __name__ == "__main__":
    main()
