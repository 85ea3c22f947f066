"""Servers that answer with exact bytes, and clients of them."""

from __future__ import annotations

import os
import socket
import threading
import unittest
from collections.abc import Callable
from typing import Any

import plugboard
from plugboard import AsyncPlugboard, Plugboard

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
                piece = client.recv(65536)
                if not piece:
                    break
                data += piece
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


class RawServerTest(unittest.TestCase):
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

    def httpx(self) -> Any:
        try:
            import httpx
        except ImportError:
            if os.environ.get("CI") == "true":
                raise
            self.skipTest("httpx is not installed")
        return httpx
