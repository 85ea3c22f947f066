"""What is uploaded, as it arrives: lengths, chunks, what is refused, and what is sent again."""

from __future__ import annotations

import array
import asyncio
import io
import json
import socket
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import plugboard
from plugboard import Plugboard

from .raw_server import RawServerTest, plain
from .stub import run_async


class UploadsTest(RawServerTest):
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

    def test_a_text_stream_is_sent_as_utf_8_in_chunks_since_its_positions_are_no_bytes(self) -> None:
        with tempfile.NamedTemporaryFile("w+", encoding="latin-1") as file:
            file.write("Grüße")
            file.seek(0)
            for stream in (io.StringIO("Grüße"), file):
                server = self.serve(plain(), plain())
                client = self.client(server)
                client.drive.upload(stream, name="a")
                self.assertEqual(client.me(), {"id": "1"})
                self.assertEqual(server.bodies, ["7\r\nGrüße\r\n0\r\n\r\n".encode(), b""])

    def refuse_other_lengths(self, create: Callable[..., Any], **options: Any) -> None:
        contents: list[tuple[Callable[[], Any], str]] = [
            (lambda: iter([b"ab", b"c", b"d"]), "longer"),
            (lambda: io.BytesIO(b"abcd"), "longer"),
            (lambda: io.StringIO("Grüße"), "longer"),
            (lambda: iter([b"ab"]), "shorter"),
        ]
        for content, comparison in contents:
            server = self.serve(plain(), plain(headers=b"connection: close\r\n"))
            client = create(server, timeout=5, **options)

            async def result(call: Callable[[], Any]) -> Any:
                called = call()
                return await called if asyncio.iscoroutine(called) else called

            async def main() -> None:
                with self.assertRaisesRegex(ValueError, f"the content is {comparison} than its size of 3 bytes"):
                    await result(lambda: client.drive.upload(content(), name="a", size=3))
                self.assertEqual(await result(client.me), {"id": "1"})

            with self.subTest(create=create.__name__, content=content()):
                asyncio.run(main())
                self.assertEqual((server.connections, server.bodies[1]), (2, b""))
                self.assertLess(len(server.bodies[0]), 3)

    def test_content_of_another_length_than_its_size_is_refused_and_its_connection_closed(self) -> None:
        self.refuse_other_lengths(self.client)
        self.refuse_other_lengths(self.async_client)

    def test_with_httpx_content_of_another_length_than_its_size_is_refused_too(self) -> None:
        httpx = self.httpx()
        from plugboard.httpx_client import AsyncHttpxClient, HttpxClient

        self.refuse_other_lengths(self.client, http_client=HttpxClient(httpx.Client()))
        self.refuse_other_lengths(self.async_client, http_client=AsyncHttpxClient(httpx.AsyncClient()))

    def test_a_stream_is_also_refused_if_its_length_is_a_header_of_the_caller(self) -> None:
        proxy = self.client(self.serve(plain()), timeout=5).proxy
        with self.assertRaisesRegex(ValueError, "longer than its size of 3"):
            proxy("/a", method="PUT", content=iter([b"abcd"]), headers={"Content-Length": "3"})

    def test_what_consists_of_bytes_is_sent_as_it_is(self) -> None:
        for content in (bytearray(b"Hi"), memoryview(b"Hi"), array.array("B", b"Hi")):
            server = self.serve(plain())
            self.client(server).drive.upload(content, name="a")
            self.assertEqual(server.bodies, [b"Hi"])

    def test_what_does_not_consist_of_bytes_or_text_is_a_type_error(self) -> None:
        for content in (None, {"a": 1}, 5, [72, 105], Path("a"), Plugboard):
            server = self.serve(plain())
            with self.subTest(content), self.assertRaisesRegex(TypeError, "^content has to"):
                self.client(server, timeout=5).drive.upload(content, name="a")
            with self.subTest(content), self.assertRaisesRegex(TypeError, "^content has to"):
                run_async(lambda: self.async_client(server, timeout=5).drive.upload(content, name="a"))

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
