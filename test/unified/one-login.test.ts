// One login, several services: a connection also serves the providers of the same login whose scopes were requested.
import { afterAll, beforeAll, expect, it } from "vitest";
import { authTypes } from "../../src/contracts/manifest.ts";
import { providers } from "../../src/providers/registry.gen.ts";
import { connectedBy } from "../support/connected.ts";
import { injectFault, requestsDuring } from "../support/sandbox.ts";
import { startService, type TestService } from "../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const scopesOf = (id: string) => providers.find(({ manifest }) => manifest.id === id)!.manifest.auth.oauth2!.scopes;

/** A connection of the first provider, whose integration requests the scopes of all. */
async function connect(...ids: [string, ...string[]]) {
  const connected = await connectedBy(service, ids[0], { type: "oauth2", scopes: [...new Set(ids.flatMap(scopesOf))] });
  const headers = {
    authorization: `Bearer ${connected.apiKey}`,
    "svc-connection-id": connected.connections[ids[0]]!,
    "content-type": "application/json",
  };
  return async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${service.url}/unified/v1/${path}`, { headers, ...init });
    return { status: response.status, body: ((body) => body.response ?? body)((await response.json()) as any) };
  };
}

it.each([
  ["google-drive", "google-calendar", "google-chat"],
  ["outlook-calendar", "onedrive", "teams"],
] satisfies [string, string, string][])(
  "a connection of %s serves %s and %s if their scopes were requested",
  async (...ids) => {
    const call = await connect(...ids);
    for (const path of ["drive/files?limit=2", "calendar/calendars", "chat/channels?limit=2"])
      expect(await call(path), path).toMatchObject({
        status: 200,
        body: { data: expect.arrayContaining([expect.objectContaining({ id: expect.any(String) })]) },
      });
  },
);

it("a service whose scopes were not requested is not supported, nor is any other without scopes of the integration", async () => {
  const two = await connect("google-drive", "google-calendar");
  expect((await two("calendar/calendars")).status).toBe(200);
  expect(await two("chat/channels")).toMatchObject({ status: 404, body: { errors: [{ code: 7002 }] } });
  const one = await connect("google-drive");
  expect((await one("calendar/calendars")).body.errors).toHaveLength(1);
  expect((await one("drive/files")).status).toBe(200);
});

it("a write, a filter and pages work at the other service as they do with its own connection", async () => {
  const call = await connect("google-drive", "google-calendar");
  const event = { title: "Review", start_date: "2030-01-02T10:00:00Z", end_date: "2030-01-02T11:00:00Z" };
  const created = await call("calendar/events", { method: "POST", body: JSON.stringify(event) });
  expect(created).toMatchObject({ status: 200, body: { data: { title: "Review" } } });
  const filtered = await call("calendar/events?starts_after=2030-01-01T00:00:00Z&starts_before=2030-02-01T00:00:00Z");
  expect(filtered.body.data).toMatchObject([{ title: "Review" }]);
  const all = "calendar/events?limit=1&starts_after=2024-01-01T00:00:00Z&starts_before=2031-01-01T00:00:00Z";
  const first = await call(all);
  const second = await call(`${all}&after=${first.body.metadata.next}`);
  expect([second.status, second.body.data.length]).toEqual([200, 1]);
  expect(second.body.data[0].id).not.toBe(first.body.data[0].id);
});

it("a token that the other service refuses is refreshed once, and the call goes to the same service again", async () => {
  const call = await connect("google-drive", "google-calendar");
  expect((await call("calendar/calendars")).status).toBe(200);
  await injectFault(service, { provider: "google-calendar", expire_tokens: true });
  const seen = await requestsDuring(service, "google-calendar", async () => {
    expect((await call("calendar/calendars")).status).toBe(200);
  });
  expect(seen.map(({ method, path }) => `${method} ${path.split("?")[0]}`)).toEqual([
    "GET /calendar/v3/users/me/calendarList",
    "POST /token",
    "GET /calendar/v3/users/me/calendarList",
  ]);
});

it("every provider of a login has no other way to authenticate", () => {
  const sharing = providers.filter(({ manifest }) => manifest.auth.oauth2?.login !== undefined);
  expect(sharing.map(({ manifest }) => authTypes(manifest))).toEqual(sharing.map(() => ["oauth2"]));
  expect(sharing).toHaveLength(6);
});
