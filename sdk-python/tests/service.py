"""A running service with the sandbox, which `test/sdk-python` has started. What is about it is in a file."""

from __future__ import annotations

import json
import os
import re
import socket
import threading
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from plugboard import AsyncPlugboard, Plugboard

_FILE = os.environ.get("PLUGBOARD_TEST_SERVICE")
SERVICE: dict[str, Any] = json.loads(Path(_FILE).read_text("utf-8")) if _FILE else {}
NO_SERVICE = "needs a running service: run npx vitest run test/sdk-python"
FILE = "Grüße aus der Datei".encode()


def blocking(**options: Any) -> Plugboard:
    return Plugboard(**{"api_key": SERVICE["api_key"], "base_url": SERVICE["url"], **options})


def asynchronous(**options: Any) -> AsyncPlugboard:
    return AsyncPlugboard(**{"api_key": SERVICE["api_key"], "base_url": SERVICE["url"], **options})


def connection_id(provider: str) -> str:
    return SERVICE["connections"][provider]


def method_of(client: Any, place: str) -> Any:
    for name in place.split("."):
        client = getattr(client, re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", name))
    return client


class CuttingRelay:
    """Passes bytes on to the service. The first connection is closed after so many bytes of its responses."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self.connections = 0
        self._server = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._server.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        parts = urlsplit(SERVICE["url"])
        while True:
            try:
                client, _ = self._server.accept()
            except OSError:
                return
            self.connections += 1
            service = socket.create_connection((parts.hostname, parts.port))
            limit = self._max_bytes if self.connections == 1 else None
            threading.Thread(target=_pump, args=(client, service, None), daemon=True).start()
            threading.Thread(target=_pump, args=(service, client, limit), daemon=True).start()

    def close(self) -> None:
        self._server.close()


def _pump(source: socket.socket, target: socket.socket, max_bytes: int | None) -> None:
    passed = 0
    with source, target:
        try:
            while data := source.recv(65536):
                passed += len(data)
                if max_bytes is not None and passed > max_bytes:
                    break
                target.sendall(data)
        except OSError:
            pass
        for one in (source, target):
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
