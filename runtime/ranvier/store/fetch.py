"""Fetch steps: the files of each `Need` are fetched in one round and checked before use."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from typing import Any, TypeVar

from ranvier.errors import FetchError
from ranvier.store.format import checked
from ranvier.types import Need

T = TypeVar("T")
Steps = Generator[Need, Mapping[str, bytes], T]


def fetch(digests: Mapping[str, bytes]) -> Steps[dict[str, bytes]]:
    """Fetch files (name → digest) in one round; return their inflated contents by name. Without files there is no round."""
    if not digests:
        return {}
    files = yield Need(tuple(digests))
    out = {}
    for name, digest in digests.items():
        if name not in files:
            raise FetchError(name, "was not received")
        out[name] = checked(name, files[name], digest)
    return out


def gather(*several: Steps[Any]) -> Steps[list[Any]]:
    """Run generators side by side and return their results. The next needs of all of them are one round.

    Another generator may have fetched the same file meanwhile, or request it in the same round; callers that cache files allow
    for that. An error of a file is sent only to the generators that requested it. An exception in one generator ends all.
    """
    results: list[Any] = [None] * len(several)
    needs: dict[int, Need] = {}
    try:
        for at in range(len(several)):
            _advance(several, at, None, needs, results)
        while needs:
            yield from _round(several, needs, results)
    finally:
        for steps in several:
            steps.close()
    return results


def _round(several: tuple[Steps[Any], ...], needs: dict[int, Need], results: list[Any]) -> Steps[None]:
    """Fetch the needs of all generators, and advance each to its next need."""
    waiting = sorted(needs)
    files, hints = (dict.fromkeys(name for at in waiting for name in needs[at][kind]) for kind in (0, 1))
    need = Need(tuple(files), tuple(hints))
    try:
        answer: Mapping[str, bytes] | FetchError = yield need
    except FetchError as error:
        # No file has arrived. Generators that do not need the missing file wait and request their files again.
        answer, waiting = error, [at for at in waiting if error.name in needs[at].files] or waiting
    for at in waiting:
        _advance(several, at, answer, needs, results)


def _advance(
    several: tuple[Steps[Any], ...],
    at: int,
    answer: Mapping[str, bytes] | FetchError | None,
    needs: dict[int, Need],
    results: list[Any],
) -> None:
    """Send a generator its files (`None`: it has not started), and store its next need or its result."""
    needs.pop(at, None)
    try:
        if isinstance(answer, FetchError):
            needs[at] = several[at].throw(answer)
        else:
            needs[at] = next(several[at]) if answer is None else several[at].send(answer)
    except StopIteration as stop:
        results[at] = stop.value


def nothing() -> Steps[None]:
    """Need no files: a placeholder for `gather`."""
    yield from ()


def prefetch(steps: Steps[Any]) -> Steps[None]:
    """Fetch files that may be needed later. Errors are ignored: the step that needs the file fetches it again and raises."""
    try:
        yield from steps
    except Exception:
        return


def hinting(steps: Steps[T], names: tuple[str, ...]) -> Steps[T]:
    """Add hints to the first need: files that may be needed later; the search does not wait for them."""
    return (yield from map_needs(steps, lambda number, need: need if number else need._replace(hints=(*need.hints, *names))))


def resume(need: Need, steps: Steps[T]) -> Steps[T]:
    """Continue a generator that has yielded its first need."""
    return (yield from map_needs(steps, lambda _, need: need, need))


def map_needs(steps: Steps[T], change: Callable[[int, Need], Need], first: Need | None = None) -> Steps[T]:
    """Yield each need after `change(number, need)`; numbers start at 0. `first` is a need that was yielded already."""
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
    except StopIteration as stop:
        result: T = stop.value
        return result
    finally:
        steps.close()
