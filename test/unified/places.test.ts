// Lists that read several places in turn, with a provider that needs many calls to find its places.
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { ticketing } from "../../src/categories/ticketing.ts";
import type { Manifest } from "../../src/contracts/manifest.ts";
import type { Provider } from "../../src/contracts/provider.ts";
import { times } from "../../src/emulator-kit/data.ts";
import { emulate, reply } from "../../src/emulator-kit/emulator.ts";
import { implement, list } from "../../src/provider-kit/implement.ts";
import { get, path } from "../../src/provider-kit/request.ts";
import { clearRequests, seenRequests } from "../support/sandbox.ts";
import { startService, type TestService } from "../support/service.ts";

/** More than the calls that one request may make (20). */
const PLACES = 25;
const TICKETS = 2;

const manifest: Manifest = {
  id: "scattered",
  name: "Scattered",
  docs: "https://scattered.example/docs",
  addresses: { api: "https://scattered.example/v1" },
  auth: { api_key: { label: "Key", help: "https://scattered.example/keys" } },
  check: get("/places/0"),
};
const at = "2026-01-01T00:00:00.000Z";
const provider: Provider = {
  manifest,
  categories: [
    implement(ticketing, {
      listTickets: list({
        maxPageSize: 100,
        async places({ upstream }) {
          const found = times(PLACES, (index) => upstream<{ id: string }>(get(path`/places/${index}`)));
          return (await Promise.all(found)).map(({ body }) => ({ id: body.id }));
        },
        items: (body: { id: string }[]) => body,
        next: () => null,
        request: ({ place }) => get(path`/places/${place.id}/tickets`),
        record: ({ id }) => ({
          id,
          title: id,
          status: "open",
          url: id,
          description: null,
          created_at: at,
          updated_at: at,
        }),
      }),
    }),
  ],
};
const emulator = emulate<null>({
  state: () => null,
  failure: (status) => reply(status, { status }),
  routes: {
    "GET /v1/places/:place": ({ params }) => reply(200, { id: params.place }),
    "GET /v1/places/:place/tickets": ({ params }) =>
      reply(
        200,
        times(TICKETS, (index) => ({ id: `${params.place}-${index}` })),
      ),
  },
});

let service: TestService;
beforeAll(async () => {
  service = await startService({
    catalogue: { providers: [provider], emulators: { scattered: emulator } },
  });
});
afterAll(() => service.close());
beforeEach(() => clearRequests(service));

async function readPage(limit: number, after?: string | null) {
  const query = new URLSearchParams({ limit: String(limit), ...(after ? { after } : {}) });
  const response = await fetch(`${service.url}/unified/v1/ticketing/tickets?${query}`, {
    headers: { authorization: `Bearer ${service.apiKey}`, "SVC-Connection-ID": service.connections.scattered! },
  });
  expect(response.status).toBe(200);
  return ((await response.json()) as any).response as { data: { id: string }[]; metadata: { next: string | null } };
}

const placeRequests = async () => (await seenRequests(service)).filter(({ path }) => !path.endsWith("/tickets")).length;

it("a list can be read to its end even if finding its places takes more calls than a request may make", async () => {
  const ids: string[] = [];
  let next: string | null | undefined;
  do {
    const { data, metadata } = await readPage(7, next);
    expect(data.length).toBeGreaterThan(0);
    ids.push(...data.map(({ id }) => id));
    next = metadata.next;
  } while (next);
  expect(ids).toEqual(times(PLACES * TICKETS, (index) => `${Math.floor(index / TICKETS)}-${index % TICKETS}`));
});

it("the places of a list are looked up for its first page only", async () => {
  const first = await readPage(3);
  expect(await placeRequests()).toBe(PLACES);
  const second = await readPage(3, first.metadata.next);
  await readPage(3, second.metadata.next);
  expect(await placeRequests()).toBe(PLACES);
  await readPage(3);
  expect(await placeRequests()).toBe(2 * PLACES);
});
