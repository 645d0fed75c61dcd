"""Lets one driver speak for an SDK's sync and its async client: what the first gives at once, the second promises."""

import asyncio
import contextlib
import inspect
import time

from clock import hastened, seconds_of


async def given(value):
    """What a call gives, or what it promises."""
    return await value if inspect.isawaitable(value) else value


@contextlib.asynccontextmanager
async def opened(manager):
    """Enters a context manager of either kind."""
    if hasattr(manager, "__aenter__"):
        async with manager as entered:
            yield entered
    else:
        with manager as entered:
            yield entered


def at_once(coroutine):
    """Runs what never has to wait for a promise: a driver whose client is sync."""
    try:
        coroutine.send(None)
    except StopIteration as stop:
        return stop.value
    coroutine.close()
    raise RuntimeError("a sync client gave a promise")


class Patience:
    """The deadline of a turn. An async program cancels what it waits for. A sync one can only tell its client for how long
    to wait for bytes, and look at the clock when some came."""

    def __init__(self, ask, is_async):
        self.seconds = hastened(seconds_of(ask["deadline"])) if "deadline" in ask else None
        self.is_async = is_async
        self.end = None

    def __bool__(self):
        return self.seconds is not None

    @contextlib.asynccontextmanager
    async def kept(self):
        """Does what is inside until the deadline, and then raises TimeoutError."""
        if self:
            self.end = time.monotonic() + self.seconds
        if self and self.is_async:
            async with asyncio.timeout(self.seconds):
                yield
        else:
            yield

    async def each(self, stream):
        """The events of a stream of either kind."""
        if self.is_async:
            async for event in stream:
                yield event
            return
        for event in stream:
            if self and time.monotonic() > self.end:
                raise TimeoutError("the deadline has passed")
            yield event
