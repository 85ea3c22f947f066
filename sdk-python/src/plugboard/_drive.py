"""One implementation for both clients.

Everything between a method and a socket is written once, as coroutines. The blocking client gives them sockets that
block, so that they never wait for anything else: they run to their end without an event loop.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Coroutine, Iterator
from typing import Any, TypeVar

T = TypeVar("T")


def run(call: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine that blocks instead of waiting."""
    try:
        call.send(None)
    except StopIteration as finished:
        return finished.value
    finally:
        call.close()
    raise RuntimeError("a call of the blocking client has waited for an event loop")


async def _next(items: AsyncGenerator[T, None]) -> tuple[T] | None:
    async for item in items:
        return (item,)
    return None


def iterate(items: AsyncGenerator[T, None]) -> Iterator[T]:
    """What an asynchronous generator that blocks instead of waiting yields."""
    try:
        while (item := run(_next(items))) is not None:
            yield item[0]
    finally:
        run(_close(items))


async def _close(items: AsyncGenerator[Any, None]) -> None:
    await items.aclose()
