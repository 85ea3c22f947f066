import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "../../../test/conformance/client.ts";
import { startService, type TestService } from "../../../test/support/service.ts";
import { operations } from "../../categories/index.ts";
import { markdownToHtml } from "../../provider-kit/text/to-html.ts";
import implemented from "./calendar.ts";
import manifest from "./manifest.ts";
import { ME, TEAM } from "./sandbox/data.ts";

let service: TestService;
let client: ReturnType<typeof createClient>;
beforeAll(async () => {
  service = await startService();
  client = createClient(service, { manifest, categories: [implemented] });
});
afterAll(() => service.close());

const operation = (name: string) => operations.find(({ id }) => id === `calendar.${name}`)!;
const create = (body: object, headers = {}) => client.call(operation("createEvent"), {}, {}, headers, body);
const timed = { title: "Planung", start_date: "2027-03-28T09:00:00+02:00", end_date: "2027-03-28T10:30:00+02:00" };

async function readBack(id: string, calendar_id?: string) {
  const query = { starts_after: "2027-01-01T00:00:00Z", starts_before: "2028-01-01T00:00:00Z" };
  const found = await client.walk(operation("listEvents"), {}, [100], {
    ...query,
    ...(calendar_id ? { calendar_id } : {}),
  });
  return found.find((event) => event.id === id);
}

test("a new event with every field is read back with the same meaning", async () => {
  const description = "# Agenda\n\n- *numbers* first\n- a [link](https://example.com/?a=1&b=2)\n\nLine one\nline <two>";
  const attendees = [{ email: "zoe@example.com", name: "Zoë" }, { email: "jose@example.com" }];
  const more = { description, location: "Straße 1, Köln", time_zone: "Europe/Paris", calendar_id: TEAM, attendees };
  let answer: any;
  const [exchange] = await client.exchanges(async () => {
    answer = await create({ ...timed, ...more });
  });
  expect(answer.status).toBe(200);
  const event = answer.body.response.data;
  expect(event).toMatchObject({
    title: "Planung",
    start_date: "2027-03-28T07:00:00.000Z",
    end_date: "2027-03-28T08:30:00.000Z",
    location: "Straße 1, Köln",
    is_all_day: false,
    time_zone: "Europe/Paris",
    status: "confirmed",
    calendar_id: TEAM,
    attendees: [
      { name: "Zoë", email: "zoe@example.com", response: "none" },
      { name: null, email: "jose@example.com", response: "none" },
    ],
  });
  expect(markdownToHtml(event.description)).toBe(markdownToHtml(description));
  expect(await readBack(event.id, TEAM)).toEqual(event);
  expect(exchange!.request.query.get("sendUpdates")).toBe("all");
});

test("a new event without a calendar is in the main one, and the record says so", async () => {
  const [exchange] = await client.exchanges(async () => {
    const event = (await create(timed)).body.response.data;
    expect(event).toMatchObject({ calendar_id: ME.email, time_zone: "Europe/Berlin", attendees: [] });
    expect(await readBack(event.id)).toEqual(event);
  });
  expect(exchange!.request.query.has("sendUpdates")).toBe(false);
});

test("a new event may last all day", async () => {
  const days = { title: "Ausflug", start_date: "2027-03-28", end_date: "2027-03-30", is_all_day: true };
  const allDay = (await create(days)).body.response.data;
  expect(allDay).toMatchObject({ start_date: "2027-03-28", end_date: "2027-03-30", is_all_day: true });
  expect(await readBack(allDay.id)).toEqual(allDay);
});

test("the same idempotency key gives the event the same id at Google", async () => {
  const ids: string[] = [];
  const stop = service.sandbox.onExchange(({ request }) => {
    if (request.method === "POST" && request.body?.id) ids.push(request.body.id);
  });
  // Both attempts reach Google, because a rate limit is no answer to keep.
  await client.fault({ status: 429, times: 1 });
  const headers = { "Idempotency-Key": "event-1", "SVC-Max-Retries": "0" };
  expect((await create(timed, headers)).status).toBe(429);
  expect((await create(timed, headers)).status).toBe(200);
  await create(timed, { "Idempotency-Key": "event-2" });
  stop();
  expect(ids).toHaveLength(3);
  expect([ids[0] === ids[1], ids[1] === ids[2]]).toEqual([true, false]);
  expect(ids[0]).toMatch(/^[0-9a-v]{5,1024}$/);
});

test("times that contradict each other are refused by the name of the field, and nothing is written", async () => {
  const seen = await client.requests(async () => {
    const { status, body } = await create({ ...timed, end_date: "2027-03-28T06:00:00Z" });
    expect([status, body.errors[0].path]).toEqual([400, ["body", "end_date"]]);
  });
  expect(seen).toEqual([]);
});

test("a calendar that the user cannot write to, or that does not exist, gets Google's own error", async () => {
  const holidays = "en.german#holiday@group.v.calendar.google.com";
  const refused = await create({ ...timed, calendar_id: holidays });
  expect([refused.status, refused.body.error.errors[0].reason]).toEqual([403, "requiredAccessLevel"]);
  const missing = await create({ ...timed, calendar_id: "404@example.com" });
  expect([missing.status, missing.body.error.errors[0].reason]).toEqual([404, "notFound"]);
});
