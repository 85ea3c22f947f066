"""The SDK's own HTTP, against servers that answer with exact bytes: how responses end, what is kept, and time-outs."""

from __future__ import annotations

import asyncio
import io
import socket
import threading
import time
from collections.abc import AsyncIterator
from typing import Any

import plugboard

from .raw_server import JSON, RawServerTest, chunked, plain
from .stub import run_async


class HttpTest(RawServerTest):
    def test_responses_end_by_length_by_chunks_and_with_the_connection(self) -> None:
        early = b"HTTP/1.1 103 Early Hints\r\nlink: a\r\n\r\n"
        for answer in (
            plain(),
            early + plain(),
            chunked(JSON[:3], JSON[3:]),
            b"HTTP/1.1 200 OK\r\n\r\n" + JSON,
            b"HTTP/1.0 200 OK\r\ncontent-length: %d\r\n\r\n%b" % (len(JSON), JSON),
        ):
            with self.subTest(answer):
                self.assertEqual(self.client(self.serve(answer)).me(), {"id": "1"})
                self.assertEqual(run_async(self.async_client(self.serve(answer)).me), {"id": "1"})

    def test_a_response_that_is_cut_or_is_not_http_is_a_network_error(self) -> None:
        cut = b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\nconnection: close\r\n\r\n{"
        for answer in (
            cut,
            b"SSH-2.0-OpenSSH\r\n\r\n",
            b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\nxyz\r\n",
        ):
            with self.subTest(answer):
                self.assertRaises(plugboard.NetworkError, self.client(self.serve(answer)).me)
                self.assertRaises(plugboard.NetworkError, run_async, self.async_client(self.serve(answer)).me)

    def test_a_connection_is_used_again_unless_the_server_closes_it(self) -> None:
        server = self.serve(plain(), chunked(JSON), plain(headers=b"connection: close\r\n"), plain(), plain())
        client = self.client(server)
        for _ in range(4):
            client.me()
        self.assertEqual(server.connections, 2)
        # An idle connection that the server has closed is noticed before a request is sent over it.
        closed = threading.Event()

        def close_after(client: socket.socket) -> None:
            client.sendall(plain())
            client.close()
            closed.set()

        client = self.client(self.serve(close_after, plain()))
        client.me()
        closed.wait(10)
        self.assertEqual(client.me(), {"id": "1"})

    def test_a_client_can_be_used_in_one_event_loop_after_another(self) -> None:
        server = self.serve(plain(), plain(headers=b"connection: close\r\n"))
        client = self.async_client(server)
        self.assertEqual([asyncio.run(client.me()) for _ in range(2)], [{"id": "1"}] * 2)

    def test_the_time_out_is_for_the_whole_attempt_also_if_bytes_keep_coming(self) -> None:
        def trickle(client: socket.socket) -> None:
            try:
                client.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n")
                for _ in range(1000):
                    client.sendall(b" ")
                    time.sleep(0.02)
            except OSError:
                pass

        with self.assertRaisesRegex(plugboard.RequestTimeoutError, "No response within 0.3 s"):
            self.client(self.serve(trickle), timeout=0.3).me()
        with self.assertRaisesRegex(plugboard.RequestTimeoutError, "No response within 0.3 s"):
            run_async(self.async_client(self.serve(trickle), timeout=0.3).me)

    def test_a_task_that_is_canceled_closes_its_connection(self) -> None:
        asked, closed = threading.Event(), threading.Event()

        def silent(client: socket.socket) -> None:
            asked.set()
            client.settimeout(10)
            if client.recv(1) == b"":
                closed.set()

        async def main() -> None:
            call = asyncio.ensure_future(self.async_client(self.serve(silent)).me())
            await asyncio.to_thread(asked.wait, 10)
            call.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await call

        asyncio.run(main())
        self.assertTrue(closed.wait(10))

    def test_line_breaks_in_headers_are_refused_before_anything_is_sent(self) -> None:
        server = self.serve(plain())
        with self.assertRaisesRegex(ValueError, "line breaks"):
            self.client(server).with_options(headers={"x-a": "a\r\nb: c"}).me()
        self.assertEqual(server.connections, 0)

    def test_a_streamed_list_that_is_left_closes_its_connection(self) -> None:
        closed = threading.Event()

        def endless(client: socket.socket) -> None:
            line = b'{"id":1}\n{"metadata":{"next":"c1"}}\n'
            client.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
            try:
                while True:
                    client.sendall(line)
            except OSError:
                closed.set()

        for _ in self.client(self.serve(endless)).git.repos.list(stream=True):
            break
        self.assertTrue(closed.wait(10))

    def test_httpx_can_be_used_instead(self) -> None:
        httpx = self.httpx()
        from plugboard.httpx_client import AsyncHttpxClient, HttpxClient

        server = self.serve(plain(), chunked(JSON), lambda client: None)
        client = self.client(server, http_client=HttpxClient(httpx.Client()))
        self.assertEqual(client.me(), {"id": "1"})
        self.assertEqual(client.drive.upload(iter([b"a"]), name="a"), {"id": "1"})
        self.assertRaises(plugboard.NetworkError, client.me)

        async def pieces() -> AsyncIterator[bytes]:
            yield b"ef"

        server = self.serve(plain(), plain(), plain(), plain(), plain(headers=b"connection: close\r\n"))

        async def main() -> Any:
            async with httpx.AsyncClient() as own:
                client = self.async_client(server, http_client=AsyncHttpxClient(own))
                await client.drive.upload(b"ab", name="a")
                await client.drive.upload(io.BytesIO(b"cd"), name="a")
                await client.drive.upload(iter([b"cd"]), name="a")
                await client.drive.upload(pieces(), name="a", size=2)
                return await client.me()

        self.assertEqual(asyncio.run(main()), {"id": "1"})
        self.assertEqual(server.bodies, [b"ab", b"cd", b"2\r\ncd\r\n0\r\n\r\n", b"ef", b""])

    def test_with_httpx_a_stream_may_pause_for_longer_than_the_time_out(self) -> None:
        httpx = self.httpx()
        from plugboard.httpx_client import AsyncHttpxClient, HttpxClient

        def pausing(client: socket.socket) -> None:
            client.sendall(b'HTTP/1.1 200 OK\r\n\r\n{"id":1}\n{"metadata":{"next":"c1"}}\n')
            time.sleep(3)
            client.sendall(b'  {"id":2}\n{"metadata":{"next":null}}\n')

        def blocking() -> list[Any]:
            client = self.client(self.serve(pausing), timeout=2, http_client=HttpxClient(httpx.Client()))
            return [repo["id"] for repo in client.git.repos.list(stream=True)]

        async def asynchronous() -> list[Any]:
            async with httpx.AsyncClient() as own:
                client = self.async_client(self.serve(pausing), timeout=2, http_client=AsyncHttpxClient(own))
                return [repo["id"] async for repo in client.git.repos.list(stream=True)]

        async def main() -> list[list[Any]]:
            return await asyncio.gather(asyncio.to_thread(blocking), asynchronous())

        self.assertEqual(asyncio.run(main()), [[1, 2], [1, 2]])
