"""Every operation over real HTTP, against the emulated providers, by both clients."""

from __future__ import annotations

import asyncio
import io
import tempfile
import unittest
from collections.abc import AsyncIterator, Iterator
from typing import Any

import plugboard
from plugboard import with_response

from .service import FILE, NO_SERVICE, SERVICE, CuttingRelay, asynchronous, blocking, connection_id, method_of

Operation = dict[str, Any]


def value_of(records: list[Any], field: str) -> Any:
    # Of files, one that can be downloaded.
    return next(one for one in records if one.get("is_folder") is not True and one.get("size", 0) is not None)[field]


@unittest.skipUnless(SERVICE, NO_SERVICE)
class OperationsTest(unittest.TestCase):
    def check(self, operation: Operation, result: Any) -> None:
        for key in operation["keys"]:
            self.assertIn(key, result)

    def test_every_operation_by_the_blocking_client(self) -> None:
        pb = blocking()
        self.addCleanup(pb.close)
        for operation in SERVICE["operations"]:
            with self.subTest(operation["method"]):
                connection = pb.connection(connection_id(operation["provider"]))
                values: list[Any] = []
                for source in operation["parameters"]:
                    values.append(value_of(method_of(connection, source["method"])(*values).data, source["field"]))
                named = {**operation["query"], **operation["body"]}
                if operation["needs_project"]:
                    named["project_id"] = connection.tasks.projects.list(limit=1).data[0]["id"]
                method = method_of(connection, operation["method"])
                if operation["kind"] == "list":
                    page = method(*values, limit=1, **named)
                    self.check(operation, page.data[0])
                    everything = method(*values, **named).to_list(200)
                    self.assertEqual(everything[0], page.data[0])
                    self.assertEqual(page.next is not None, len(everything) > 1)
                elif operation["kind"] == "download":
                    with method(*values) as download:
                        self.assertGreater(len(download.read()), 0)
                elif operation["kind"] == "upload":
                    self.check(operation, method(FILE, **named))
                else:
                    self.check(operation, method(*values, **named))

    def test_every_operation_by_the_asyncio_client(self) -> None:
        async def main() -> None:
            async with asynchronous() as pb:
                for operation in SERVICE["operations"]:
                    with self.subTest(operation["method"]):
                        await self.run_async(pb.connection(connection_id(operation["provider"])), operation)

        asyncio.run(main())

    async def run_async(self, connection: plugboard.AsyncConnectionClient, operation: Operation) -> None:
        values: list[Any] = []
        for source in operation["parameters"]:
            page = await method_of(connection, source["method"])(*values)
            values.append(value_of(page.data, source["field"]))
        named = {**operation["query"], **operation["body"]}
        # The other client has created these, and providers have them only once.
        for name in {"email", "name"} & named.keys():
            named[name] = f"async.{named[name]}"
        if operation["needs_project"]:
            named["project_id"] = (await connection.tasks.projects.list(limit=1)).data[0]["id"]
        method = method_of(connection, operation["method"])
        if operation["kind"] == "list":
            page = await method(*values, limit=1, **named)
            self.check(operation, page.data[0])
            self.assertEqual((await method(*values, **named).to_list(200))[0], page.data[0])
        elif operation["kind"] == "download":
            async with await method(*values) as download:
                self.assertGreater(len(await download.read()), 0)
        elif operation["kind"] == "upload":
            self.check(operation, await method(FILE, **named))
        else:
            self.check(operation, await method(*values, **named))


@unittest.skipUnless(SERVICE, NO_SERVICE)
class SandboxTest(unittest.TestCase):
    def setUp(self) -> None:
        self.pb = blocking()
        self.addCleanup(self.pb.close)
        self.github = self.pb.connection(connection_id("github"))

    def test_a_write_whose_response_is_lost_is_repeated_and_carried_out_once(self) -> None:
        relay = CuttingRelay(0)
        self.addCleanup(relay.close)
        with blocking(base_url=relay.url) as losing:
            issue = losing.connection(self.github.id).git.issues.create("acme/rocket", title="Written once by Python")
        self.assertEqual(relay.connections, 2)
        issues = [one for one in self.github.git.issues.list("acme/rocket") if one["title"] == issue["title"]]
        self.assertEqual(issues, [issue])

    def test_a_streamed_list_has_the_same_records_as_its_pages_also_if_its_connection_is_lost(self) -> None:
        paged = self.github.git.issues.list("acme/rocket").to_list()
        relay = CuttingRelay(100_000)
        self.addCleanup(relay.close)
        with blocking(base_url=relay.url) as losing:
            streamed = losing.connection(self.github.id).git.issues.list("acme/rocket", stream=True).to_list()
        self.assertEqual(streamed, paged)
        self.assertEqual(relay.connections, 2)

        async def read() -> list[Any]:
            async with asynchronous() as pb:
                issues = pb.connection(self.github.id).git.issues.list("acme/rocket", stream=True)
                return [issue async for issue in issues]

        self.assertEqual(asyncio.run(read()), paged)

    def test_streams_are_uploaded_and_downloaded(self) -> None:
        def pieces() -> Iterator[bytes]:
            yield FILE[:5]
            yield FILE[5:]

        with tempfile.TemporaryFile() as file:
            file.write(FILE)
            file.seek(0)
            for provider in SERVICE["uploading"]:
                drive = self.pb.connection(connection_id(provider)).drive
                for name, content, size in [
                    ("bytes", FILE, None),
                    ("text", FILE.decode(), None),
                    ("a file", file, None),
                    ("a file in memory", io.BytesIO(FILE), None),
                    ("a generator", pieces(), len(FILE)),
                ]:
                    with self.subTest(provider=provider, content=name):
                        uploaded = drive.upload(content, name=f"{name}.txt", size=size)
                        file.seek(0)
                        self.assertEqual(uploaded["name"], f"{name}.txt")
                        with drive.download(uploaded["id"]) as download:
                            self.assertEqual((download.read(3), b"".join(download)), (FILE[:3], FILE[3:]))

    def test_a_stream_whose_size_is_needed_is_refused_without_it(self) -> None:
        dropbox = self.pb.connection(connection_id("dropbox")).drive
        with self.assertRaisesRegex(plugboard.InvalidRequestError, "Content-Length: must be given"):
            dropbox.upload(iter([FILE]), name="without a size.txt")

    def test_a_download_from_one_drive_is_uploaded_to_another(self) -> None:
        box, dropbox = (self.pb.connection(connection_id(one)).drive for one in ("box", "dropbox"))
        file = box.upload(FILE, name="to be copied by Python.txt")
        with box.download(file["id"]) as download:
            self.assertEqual(dropbox.upload(download, name="a copy by Python.txt")["size"], len(FILE))

        async def copy() -> int | None:
            async with asynchronous() as pb:
                source, target = (pb.connection(connection_id(one)).drive for one in ("box", "dropbox"))
                async with await source.download(file["id"]) as download:
                    return (await target.upload(download, name="another copy.txt"))["size"]

        self.assertEqual(asyncio.run(copy()), len(FILE))

    def test_asynchronous_content_is_uploaded(self) -> None:
        async def pieces() -> AsyncIterator[bytes]:
            yield FILE[:5]
            yield FILE[5:]

        async def upload() -> bytes:
            async with asynchronous() as pb:
                drive = pb.connection(connection_id("box")).drive
                file = await drive.upload(pieces(), name="asynchronous.txt")
                async with await drive.download(file["id"]) as download:
                    return b"".join([piece async for piece in download])

        self.assertEqual(asyncio.run(upload()), FILE)

    def test_many_calls_of_the_asyncio_client_run_at_the_same_time(self) -> None:
        async def main() -> list[Any]:
            async with asynchronous() as pb:
                github = pb.connection(self.github.id)
                return await asyncio.gather(*(github.me() for _ in range(50)))

        self.assertEqual(len({one["name"] for one in asyncio.run(main())}), 1)

    def test_the_response_behind_a_result_says_what_is_left_and_that_a_write_was_replayed(self) -> None:
        answer = with_response(self.github.me)()
        self.assertEqual(answer.response.status, 200)
        self.assertTrue(answer.response.request_id)
        assert answer.response.rate_limit
        self.assertEqual(answer.response.rate_limit.limit, 1_000_000)
        create = with_response(self.github.git.issues.create)
        first, second = (create("acme/rocket", title="Twice", idempotency_key="python-twice") for _ in range(2))
        self.assertEqual(first.data, second.data)
        replayed = [one.response.headers.get("Idempotency-Replayed") for one in (first, second)]
        self.assertEqual(replayed, [None, "true"])

    def test_a_dry_run_of_any_kind_of_operation_returns_what_would_be_sent(self) -> None:
        git = self.github.dry_run.git
        created = git.issues.create("acme/rocket", title="Not written")
        self.assertEqual(created["requests"][0]["body"], {"title": "Not written"})
        self.assertEqual(git.repos.list(limit=1)["requests"][0]["method"], "GET")
        drive = self.pb.connection(connection_id("box")).dry_run.drive
        self.assertEqual(drive.upload(iter([FILE]), name="a")["requests"][0]["method"], "POST")
        self.assertIn("/1", drive.download("1")["requests"][0]["url"])

        async def plan() -> plugboard.DryRun:
            async with asynchronous() as pb:
                return await pb.connection(self.github.id).dry_run.git.repos.list(limit=1)

        self.assertEqual(asyncio.run(plan())["requests"][0]["method"], "GET")

    def test_the_providers_own_api_is_called_through_the_proxy(self) -> None:
        with self.github.proxy("/user/repos?per_page=1", headers={"authorization": "Bearer other"}) as response:
            self.assertEqual((response.status, len(response.json())), (200, 1))
        with self.github.proxy("nothing/here") as missing:
            self.assertEqual((missing.status, missing.headers["SVC-Error-Source"]), (404, "provider"))
        self.assertEqual(len(self.github.proxy.json("/user/repos", query={"per_page": 1})), 1)
        created = self.github.proxy.json("/repos/acme/rocket/issues", method="POST", body={"title": "By the Proxy"})
        self.assertEqual(created["title"], "By the Proxy")
        with self.assertRaises(plugboard.ProviderError) as raised:
            self.github.proxy.json("nothing/here")
        self.assertEqual(raised.exception.status, 404)

        async def main() -> tuple[int, str, Any]:
            async with asynchronous() as pb:
                github = pb.connection(self.github.id)
                async with await github.proxy("/user") as response:
                    return response.status, await response.text(), await github.proxy.json("/user")

        status, text, user = asyncio.run(main())
        self.assertEqual(status, 200)
        self.assertIn(user["login"], text)

    def test_errors_of_a_running_service_have_their_classes(self) -> None:
        with self.assertRaises(plugboard.InvalidRequestError) as raised:
            self.github.git.repos.list(limit=500)
        self.assertEqual(raised.exception.problems, [{"path": ["query", "limit"], "message": "must be <= 100"}])
        stranger = blocking(api_key="sk_unknown")
        self.addCleanup(stranger.close)
        for kind, call in [
            (plugboard.AuthenticationError, stranger.workspace.get),
            (plugboard.ConnectionNotFoundError, self.pb.connection("conn_none").me),
            (plugboard.OperationNotSupportedError, self.github.tasks.list),
            (plugboard.NotFoundError, lambda: self.pb.connections.get("conn_none")),
            (plugboard.NetworkError, blocking(base_url="http://127.0.0.1:1", max_retries=0).workspace.get),
        ]:
            with self.subTest(kind.__name__):
                self.assertRaises(kind, call)

    def test_any_call_of_the_unified_api_can_be_made(self) -> None:
        response = self.github.request("GET", "/v1/git/repos", query={"limit": 1, "include_raw": True})
        self.assertEqual((len(response["data"]), "_raw" in response), (1, True))
