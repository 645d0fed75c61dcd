"""What all drivers have in common."""

import asyncio
import copy
import time

from both import Patience, given


class Driver:
    """Speaks one endpoint for one run, which is one conversation, by an SDK's sync or async client."""

    def __init__(self, book, endpoint, connect, is_async):
        """connect makes the client; with a number, one that waits so many seconds for bytes and does not ask again."""
        self.book = book
        self.endpoint = endpoint
        self.connect = connect
        self.is_async = is_async
        self.clients = [connect(None)]
        self.typed = False
        self.begin()

    @property
    def client(self):
        return self.clients[-1]

    def begin(self):
        """Begins the conversation."""
        raise NotImplementedError

    def again(self):
        """Another conversation by the same client."""
        other = copy.copy(self)
        other.begin()
        return other

    async def put(self, ask, mode):
        """Asks one turn, within its deadline."""
        patience = Patience(ask, self.is_async)
        if patience and not self.is_async:
            self.clients.append(self.connect(patience.seconds))
        if (mode == "stream" and "op" not in ask) or ask.get("op") == "retrieve_stream":
            return await self.stream(ask, patience)
        return await self.whole(ask, patience)

    async def whole(self, ask, patience):
        """Asks for an answer in one piece, or what op says."""
        raise NotImplementedError

    async def stream(self, ask, patience):
        """Asks for a stream, and gives what the SDK's accumulator makes of it."""
        raise NotImplementedError

    async def sleep(self, seconds):
        """Waits, by the clock of the run."""
        if self.is_async:
            await asyncio.sleep(seconds)
        else:
            time.sleep(seconds)

    async def close(self):
        """Closes the clients' connections."""
        for client in self.clients:
            await given(client.close())
