"""What clients do around a call that is in no case of both SDKs: logs, options, printing, streams."""

from __future__ import annotations

import asyncio
import copy
import pickle
import unittest
from typing import Any

import plugboard
from plugboard import OMIT, AsyncPlugboard, Attempt, Plugboard, with_response

from .stub import OPTIONS, Pauses, async_client_of, client_of, run_async

OK: Any = {"body": {"response": {"data": {"id": "1"}}}}
LIMITS = {"x-ratelimit-limit": "100", "x-ratelimit-remaining": "99", "x-ratelimit-reset": "60"}


class ClientTest(unittest.TestCase):
    def test_with_options_changes_a_copy(self) -> None:
        pb, http = client_of([OK])
        other = pb.with_options(timeout=5, headers={"x-a": "b"})
        other.connection("conn_1").me()
        pb.connection("conn_1").with_options(timeout=7).me()
        pb.connection("conn_1").me()
        self.assertEqual([request.timeout for request in http.requests], [5, 7, 120])
        self.assertEqual([request.headers.get("x-a") for request in http.requests], ["b", None, None])

    def test_each_api_can_have_an_address_of_its_own_and_headers_another_prefix(self) -> None:
        base_url = {
            "unified": "https://api.example",
            "platform": "https://admin.example/p/",
            "proxy": "https://px.example",
        }
        pb, http = client_of([OK], base_url=base_url, header_prefix="Acme-")
        connection = pb.connection("conn_1")
        connection.me()
        connection.proxy("/user?a=1", method="POST", content="x").close()
        pb.workspace.get()
        self.assertEqual(
            [request.url for request in http.requests],
            ["https://api.example/v1/me", "https://px.example/user?a=1", "https://admin.example/p/v1/workspace"],
        )
        ids = [request.headers.get("acme-connection-id") for request in http.requests]
        self.assertEqual(ids, ["conn_1", "conn_1", None])

    def test_each_attempt_is_logged_without_its_query_and_a_log_that_fails_changes_nothing(self) -> None:
        entries: list[Attempt] = []
        pb, _ = client_of([{"lost": True}, {"body": []}], log=entries.append)
        with Pauses():
            pb.connection("conn_1").proxy.json("/user?token=secret")
        self.assertEqual(
            [(one.url, one.attempt, one.status, one.request_id) for one in entries],
            [
                ("http://plugboard.example/proxy/user", 1, None, None),
                ("http://plugboard.example/proxy/user", 2, 200, "req_1"),
            ],
        )
        self.assertIsInstance(entries[0].error, ConnectionResetError)
        self.assertNotIn("secret", repr(entries))
        failing, _ = client_of([OK], log=lambda _: 1 / 0)
        self.assertEqual(failing.connection("conn_1").me()["id"], "1")

    def test_neither_a_client_nor_its_errors_show_the_key(self) -> None:
        pb, _ = client_of([{"status": 401, "body": {}}], api_key="sk_secret")
        with self.assertRaises(plugboard.AuthenticationError) as raised:
            pb.connection("conn_1").me()
        shown = repr([pb, pb._transport.settings, pb.connection("conn_1"), raised.exception, vars(raised.exception)])
        self.assertNotIn("sk_secret", shown)

    def test_errors_can_be_copied_and_pickled(self) -> None:
        error = plugboard.RateLimitError("429", status=429, retry_after=7)
        for again in (copy.copy(error), pickle.loads(pickle.dumps(error))):
            self.assertEqual((type(again), str(again), again.retry_after), (plugboard.RateLimitError, "429", 7))

    def test_a_time_out_is_an_error_of_its_own_and_tried_again(self) -> None:
        pb, http = client_of([{"late": True}, OK])
        with Pauses():
            self.assertEqual(pb.connection("conn_1").me()["id"], "1")
        pb, http = client_of([{"late": True}], max_retries=0)
        with self.assertRaisesRegex(plugboard.RequestTimeoutError, "No response within 120 s"):
            pb.connection("conn_1").me()

    def test_with_response_gives_the_result_and_its_response(self) -> None:
        answer = {**OK, "headers": LIMITS}
        result = with_response(client_of([answer])[0].connection("conn_1").tasks.create)(title="A")
        self.assertEqual((result.data, result.response.status), ({"id": "1"}, 200))
        self.assertEqual(result.response.rate_limit, (100, 99, 60))
        created = with_response(client_of([{"status": 201, "body": {"id": "1"}}])[0].api_keys.create)()
        self.assertEqual((created.response.status, created.response.rate_limit), (201, None))
        proxied = {"status": 201, "body": {"id": 7}, "headers": {"svc-ratelimit-limit": "5"}}
        by_proxy = with_response(client_of([proxied])[0].connection("conn_1").proxy.json)("/user")
        assert by_proxy.response.rate_limit
        self.assertEqual((by_proxy.data, by_proxy.response.rate_limit.limit), ({"id": 7}, 5))
        pb, _ = async_client_of([answer])
        waited = run_async(lambda: with_response(pb.connection("conn_1").me)())
        self.assertEqual((waited.data, waited.response.status), ({"id": "1"}, 200))
        self.assertRaises(TypeError, with_response, client_of([OK])[0].connections.list)
        self.assertRaises(TypeError, with_response, print)

    def test_a_page_has_its_response_which_is_not_printed(self) -> None:
        page = {"body": {"response": {"data": [1], "metadata": {"next": None}}}}
        repos = client_of([page])[0].connection("conn_1").git.repos.list()
        self.assertEqual(repos.response.request_id, "req_1")
        self.assertEqual(repr(repos), "List(data=[1], next=None)")
        self.assertNotIn("req_1", repr(list(repos.pages())))

    def test_nothing_is_sent_before_a_streamed_list_or_one_of_asyncio_is_read(self) -> None:
        pb, http = client_of([OK])
        pb.connection("conn_1").git.repos.list(stream=True)
        later, other = async_client_of([OK])
        later.connection("conn_1").git.repos.list()
        self.assertEqual((http.requests, other.requests), ([], []))

    def test_an_awaited_list_is_not_loaded_again_when_it_is_iterated_over(self) -> None:
        page = {"body": {"response": {"data": [1], "metadata": {"next": None}}}}
        pb, http = async_client_of([page])

        async def main() -> list[Any]:
            repos = pb.connection("conn_1").git.repos.list()
            await repos
            return [repo async for repo in repos]

        self.assertEqual((asyncio.run(main()), len(http.requests)), ([1], 1))

    def test_omitted_arguments_are_not_sent(self) -> None:
        pb, http = client_of([OK])
        pb.connection("conn_1").tasks.create(title="A", description=OMIT)
        self.assertEqual(http.requests[0].body, b'{"title":"A"}')
        self.assertEqual(repr(OMIT), "OMIT")

    def test_a_connection_without_an_id_is_refused(self) -> None:
        self.assertRaises(ValueError, Plugboard(**OPTIONS).connection, "")
        self.assertRaises(ValueError, AsyncPlugboard(**OPTIONS).connection, "")
