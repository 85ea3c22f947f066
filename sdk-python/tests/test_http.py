"""The SDK's own HTTP, against servers that answer with exact bytes: how responses end, what is kept, and time-outs."""

from __future__ import annotations

import asyncio
import io
import json
import os
import socket
import threading
import time
import unittest
from collections.abc import AsyncIterator, Callable
from typing import Any

import plugboard
from plugboard import AsyncPlugboard, Plugboard

from .stub import run_async

JSON = b'{"response":{"data":{"id":"1"}}}'


def plain(body: bytes = JSON, headers: bytes = b"", status: bytes = b"200 OK") -> bytes:
    return b"HTTP/1.1 %b\r\ncontent-length: %d\r\n%b\r\n%b" % (status, len(body), headers, body)


def chunked(*pieces: bytes) -> bytes:
    chunks = b"".join(b"%x;a=b\r\n%b\r\n" % (len(piece), piece) for piece in pieces)
    return b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n%b0\r\ntrailer: a\r\n\r\n" % chunks


class RawServer:
    """Answers each request of each connection with the next bytes. A function gets the socket instead."""

    def __init__(self, *answers: bytes | Callable[[socket.socket], None]) -> None:
        self._answers = list(answers)
        self._server = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._server.getsockname()[1]}"
        self.connections = 0
        self.heads: list[bytes] = []
        self.bodies: list[bytes] = []
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()

    def _accept(self) -> None:
        while self._answers:
            try:
                client, _ = self._server.accept()
            except OSError:
                return
            self.connections += 1
            with client:
                self._serve(client)

    def _serve(self, client: socket.socket) -> None:
        data = b""
        while self._answers:
            while b"\r\n\r\n" not in data:
                piece = client.recv(65536)
                if not piece:
                    return
                data += piece
            head, _, data = data.partition(b"\r\n\r\n")
            self.heads.append(head)
            answer = self._answers.pop(0)
            if callable(answer):
                return answer(client)
            size = next(
                (int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")), 0
            )
            while len(data) < size or (b"transfer-encoding" in head.lower() and not data.endswith(b"0\r\n\r\n")):
                data += client.recv(65536)
            self.bodies.append(data)
            data = b""
            client.sendall(answer)
            if b"connection: close" in answer or b"content-length" not in answer and b"chunked" not in answer:
                return

    def close(self) -> None:
        self._answers.clear()
        # Ends `accept`.
        with socket.socket() as last:
            last.connect_ex(self._server.getsockname())
        self._server.close()
        self._thread.join(10)


class HttpTest(unittest.TestCase):
    def serve(self, *answers: bytes | Callable[[socket.socket], None]) -> RawServer:
        server = RawServer(*answers)
        self.addCleanup(server.close)
        return server

    def client(self, server: RawServer, **options: Any) -> plugboard.ConnectionClient:
        pb = Plugboard(**{"api_key": "key_1", "base_url": server.url, "max_retries": 0, **options})
        self.addCleanup(pb.close)
        return pb.connection("conn_1")

    def async_client(self, server: RawServer, **options: Any) -> plugboard.AsyncConnectionClient:
        return AsyncPlugboard(**{"api_key": "key_1", "base_url": server.url, "max_retries": 0, **options}).connection(
            "conn_1"
        )

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

    def test_a_stream_is_sent_in_chunks_or_with_its_size(self) -> None:
        server = self.serve(plain(), plain(), plain(headers=b"connection: close\r\n"))
        drive = self.client(server).drive
        drive.upload(iter([b"ab", b"", "ü"]), name="a")
        drive.upload(iter([b"ab"]), name="a", size=2)
        file = io.BytesIO(b"xxab")
        file.seek(2)
        drive.upload(file, name="a")
        self.assertEqual(server.bodies, [b"2\r\nab\r\n2\r\n\xc3\xbc\r\n0\r\n\r\n", b"ab", b"ab"])
        self.assertIn(b"transfer-encoding: chunked", server.heads[0])

    def test_a_response_that_comes_before_the_upload_ends_is_read(self) -> None:
        failure = {"success": False, "errors": [{"code": 7001, "message": "Too Large"}]}
        refusal = plain(
            json.dumps(failure).encode(), b"svc-error-source: plugboard\r\nconnection: close\r\n", b"413 Too Large"
        )

        def refuse(client: socket.socket) -> None:
            client.sendall(refusal)
            while client.recv(65536):
                pass

        def refuse_and_close(client: socket.socket) -> None:
            client.sendall(refusal)

        # What is still on its way when the connection is closed may be lost.
        expected = (plugboard.InvalidRequestError, plugboard.NetworkError)
        for answer, kinds in ((refuse, plugboard.InvalidRequestError), (refuse_and_close, expected)):
            drive = self.client(self.serve(answer)).drive
            with self.subTest(answer.__name__), self.assertRaises(kinds):
                drive.upload((b"x" * 65536 for _ in range(500)), name="a", size=500 * 65536)

    def test_a_file_is_sent_again_from_where_it_was(self) -> None:
        server = self.serve(lambda client: None, plain())
        file = io.BytesIO(b"xxab")
        file.seek(2)
        self.client(server, max_retries=1).drive.upload(file, name="a")
        self.assertEqual(server.bodies, [b"ab"])

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

    def httpx(self) -> Any:
        try:
            import httpx
        except ImportError:
            if os.environ.get("CI") == "true":
                raise
            self.skipTest("httpx is not installed")
        return httpx
