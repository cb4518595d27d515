"""Asking for files: whatever a generator yields is fetched in one round, and checked before any of it is used."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from typing import Any, TypeVar

from ranvier.errors import FetchError
from ranvier.store.format import checked
from ranvier.types import Need

T = TypeVar("T")
Steps = Generator[Need, Mapping[str, bytes], T]


def fetch(seals: Mapping[str, bytes]) -> Steps[dict[str, bytes]]:
    """Ask for files, name → digest, in one round; return their inflated contents by name. No file, no round."""
    if not seals:
        return {}
    got = yield Need(tuple(seals))
    out = {}
    for name, digest in seals.items():
        if name not in got:
            raise FetchError(name, "was not delivered")
        out[name] = checked(name, got[name], digest)
    return out


def gather(*several: Steps[Any]) -> Steps[list[Any]]:
    """Run generators side by side, and return what each returned; what all of them need next is one round.

    A generator may find that another one has fetched its file meanwhile, or asked for it in the same round: all that keep files
    allow for it. A file that cannot be had is told to those alone that asked for it. What one of them raises ends all of them.
    """
    results: list[Any] = [None] * len(several)
    needs: dict[int, Need] = {}
    try:
        for at in range(len(several)):
            _go_on(several, at, None, needs, results)
        while needs:
            yield from _round(several, needs, results)
    finally:
        for steps in several:
            steps.close()
    return results


def _round(several: tuple[Steps[Any], ...], needs: dict[int, Need], results: list[Any]) -> Steps[None]:
    """Ask for what all of them need, and let each go on to its next need."""
    waiting = sorted(needs)
    files, hints = (dict.fromkeys(name for at in waiting for name in needs[at][kind]) for kind in (0, 1))
    need = Need(tuple(files), tuple(hints))
    try:
        answer: Mapping[str, bytes] | FetchError = yield need
    except FetchError as error:
        # Nothing has arrived. Those that did not ask for that file go on waiting, and ask again for theirs.
        answer, waiting = error, [at for at in waiting if error.name in needs[at].files] or waiting
    for at in waiting:
        _go_on(several, at, answer, needs, results)


def _go_on(
    several: tuple[Steps[Any], ...],
    at: int,
    answer: Mapping[str, bytes] | FetchError | None,
    needs: dict[int, Need],
    results: list[Any],
) -> None:
    """Hand a generator what it waits for (`None`: it has not begun), and note what it needs next, or what it returned."""
    needs.pop(at, None)
    try:
        if isinstance(answer, FetchError):
            needs[at] = several[at].throw(answer)
        else:
            needs[at] = next(several[at]) if answer is None else several[at].send(answer)
    except StopIteration as done:
        results[at] = done.value


def nothing() -> Steps[None]:
    """Need nothing: in the place of one of several that are gathered."""
    yield from ()


def prefetch(steps: Steps[Any]) -> Steps[None]:
    """Fetch what may be needed soon. What goes wrong is not told: whoever needs it asks again, and is told then."""
    try:
        yield from steps
    except Exception:
        return


def hinting(steps: Steps[T], names: tuple[str, ...]) -> Steps[T]:
    """Name files, with the first round, that may be asked for soon; nobody waits for them."""
    return (yield from _passing(steps, lambda number, need: need if number else need._replace(hints=(*need.hints, *names))))


def counting(steps: Steps[T], count: Callable[[], None]) -> Steps[T]:
    """Call something for each round."""

    def counted(_: int, need: Need) -> Need:
        count()
        return need

    return (yield from _passing(steps, counted))


def resume(need: Need, steps: Steps[T]) -> Steps[T]:
    """Go on with a generator that has said its first need."""
    return (yield from _passing(steps, lambda _, need: need, need))


def _passing(steps: Steps[T], change: Callable[[int, Need], Need], first: Need | None = None) -> Steps[T]:
    """Hand each need on, changed; `change` is given its number, from 0. `first`: one that was said already."""
    number = 0
    try:
        need = first or next(steps)
        while True:
            try:
                answer = yield change(number, need)
            except FetchError as error:
                need = steps.throw(error)
            else:
                need = steps.send(answer)
            number += 1
    except StopIteration as done:
        result: T = done.value
        return result
    finally:
        steps.close()
