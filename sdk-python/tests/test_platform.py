"""Every method of the Platform API, over real HTTP, against a running service."""

from __future__ import annotations

import asyncio
import inspect
import time
import unittest
from collections.abc import Callable, Iterator
from typing import Any

import plugboard
from plugboard import Plugboard

from .service import NO_SERVICE, SERVICE, asynchronous, blocking


def methods_of(group: Any, place: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """Every public method of a group and of what is in it: `webhooks.deliveries.list`."""
    for name in dir(group):
        if name.startswith("_"):
            continue
        value = getattr(group, name)
        if value is group:
            continue
        if inspect.ismethod(value) or inspect.isfunction(value):
            yield ".".join([*place, name]), value
        elif hasattr(value, "_calls"):
            yield from methods_of(value, (*place, name))


def eventually(condition: Callable[[], Any]) -> Any:
    """Logs are written in batches, shortly after the requests."""
    end = time.monotonic() + 60
    while not (result := condition()) and time.monotonic() < end:
        time.sleep(0.05)
    return result


@unittest.skipUnless(SERVICE, NO_SERVICE)
class PlatformTest(unittest.TestCase):
    pb: Plugboard

    @classmethod
    def setUpClass(cls) -> None:
        cls.pb = blocking(api_key=SERVICE["other_api_key"])

    @classmethod
    def tearDownClass(cls) -> None:
        cls.pb.close()

    def test_integrations_and_connections(self) -> None:
        pb = self.pb
        integration = pb.integrations.create(identifier="github", type="api_key", base_url="sandbox")
        self.assertEqual(pb.integrations.get(integration["id"]), integration)
        self.assertIsNone(pb.integrations.update(integration["id"], base_url=None)["base_url"])
        pb.integrations.update(integration["id"], base_url="sandbox")
        self.assertEqual([one["id"] for one in pb.integrations.list()], [integration["id"]])
        token = SERVICE["github_token"]
        created = [
            pb.connections.create(
                integration_id=integration["id"],
                auth_token=token,
                external_id=f"user_{number}",
                metadata={"plan": plan},
            )
            for number, plan in ((1, "pro"), (2, "free"), (3, "pro"))
        ]
        # Three entries in pages of two.
        listed = pb.connections.list(limit=2)
        self.assertEqual(len(listed.data), 2)
        self.assertEqual([one["external_id"] for one in listed], ["user_1", "user_2", "user_3"])
        self.assertEqual([one["id"] for one in pb.connections.list(external_id="user_2")], [created[1]["id"]])
        self.assertEqual(len(pb.connections.list(metadata={"plan": "pro"}).data), 2)
        self.assertTrue(pb.connection(created[0]["id"]).me()["name"])
        changed = pb.platform.connections.update(created[0]["id"], external_id="user_4", metadata=None)
        self.assertEqual((changed["external_id"], changed["metadata"]), ("user_4", None))
        self.assertEqual(pb.connections.delete(changed["id"]), {"success": True})
        self.assertRaises(plugboard.NotFoundError, pb.connections.get, changed["id"])
        self.assertEqual(pb.integrations.delete(integration["id"]), {"success": True})

        types = lambda: [one["type"] for one in pb.events.list(type="connection.*")]  # noqa: E731
        self.assertTrue(eventually(lambda: "connection.deleted" in types()))
        ids = lambda **query: [one["id"] for one in pb.events.list(type="connection.*", **query)]  # noqa: E731
        self.assertEqual(ids(limit=2), ids(limit=100))
        self.assertEqual(ids(limit=2, before="latest"), ids(limit=100)[::-1])

    def test_keys_the_workspace_providers_and_the_request_log(self) -> None:
        key = self.pb.api_keys.create(name="for a test")
        with blocking(api_key=key["api_key"]) as other:
            self.assertIn(key["id"], [one["id"] for one in other.api_keys.list()])
        self.assertEqual(self.pb.api_keys.delete(key["id"]), {"success": True})
        addresses = ["https://app.example/connected"]
        self.assertEqual(self.pb.workspace.update(redirect_uris=addresses)["redirect_uris"], addresses)
        self.assertEqual(self.pb.workspace.get()["redirect_uris"], addresses)
        self.assertIn("github", [one["id"] for one in self.pb.providers.list()])
        entry = eventually(lambda: self.pb.logs.list(limit=1).data)[0]
        self.assertEqual(self.pb.logs.get(entry["id"])["request_id"], entry["request_id"])

    def test_a_provider_of_ones_own_and_a_tool_pack(self) -> None:
        document: plugboard.types.ProviderDocument = {
            "id": "acme-python",
            "name": "Acme",
            "docs_url": "https://docs.acme.test",
            "addresses": {"api": "https://api.acme.test"},
            "auth": {"api_key": {"in": "header", "name": "X-Key", "label": "API key"}},
        }
        self.assertEqual(self.pb.providers.create(**document)["document"], document)
        self.assertRaises(plugboard.ConflictError, lambda: self.pb.providers.create(**document))
        self.assertEqual(self.pb.providers.update("acme-python", name="Acme 2", notes=None)["name"], "Acme 2")
        self.assertEqual(self.pb.providers.get("acme-python")["name"], "Acme 2")
        self.pb.providers.delete("acme-python")
        pack = self.pb.tool_packs.create(name="Sales", access="read", categories=["crm"])
        changed = self.pb.tool_packs.update(pack["id"], hide=["crm.contact.email"])
        self.assertEqual(changed["hide"], ["crm.contact.email"])
        self.assertEqual(self.pb.tool_packs.delete(pack["id"]), {"success": True})

    def test_a_connect_session_and_a_webhook(self) -> None:
        with blocking() as pb:
            session = pb.connect_sessions.create(external_id="user_4711", integrations=["github"])
        self.assertTrue(session["url"].startswith("http"))
        webhook = self.pb.webhooks.create(name="A", url="https://app.example/hook", events={"connection.*": True})
        self.assertEqual(self.pb.webhooks.secret.get(webhook["id"])["secret"], webhook["secret"])
        self.assertNotEqual(self.pb.webhooks.rotate_secret(webhook["id"])["secret"], webhook["secret"])
        self.assertEqual(list(self.pb.webhooks.deliveries.list(webhook["id"])), [])
        self.assertEqual(self.pb.webhooks.delete(webhook["id"]), {"success": True})

    def made_up(self, method: Any) -> tuple[list[str], dict[str, Any]]:
        """A value for every parameter that is required."""
        parameters = inspect.signature(method).parameters.values()
        required = [one for one in parameters if one.default is inspect.Parameter.empty]
        positional = ["none_1" for one in required if one.kind is one.POSITIONAL_OR_KEYWORD]
        return positional, {one.name: "none_1" for one in required if one.kind is one.KEYWORD_ONLY}

    def test_every_method_reaches_its_route_made_up_values_are_not_found_or_refused(self) -> None:
        expected = (plugboard.NotFoundError, plugboard.InvalidRequestError)
        names: list[str] = []
        with blocking(api_key=SERVICE["third_api_key"], max_retries=0) as pb:
            for name, method in methods_of(plugboard.client.Platform(pb._calls)):
                names.append(name)
                with self.subTest(name):
                    positional, named = self.made_up(method)
                    try:
                        method(*positional, **named)
                    except expected:
                        pass
        self.assertEqual(sorted(names), sorted(SERVICE["platform_methods"]))

        async def main() -> None:
            async with asynchronous(api_key=SERVICE["third_api_key"], max_retries=0) as pb:
                for name, method in methods_of(plugboard.client.AsyncPlatform(pb._calls)):
                    with self.subTest(f"asynchronous {name}"):
                        positional, named = self.made_up(method)
                        try:
                            await method(*positional, **named)
                        except expected:
                            pass

        asyncio.run(main())
