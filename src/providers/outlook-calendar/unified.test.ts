import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "../../../test/conformance/client.ts";
import { startService, type TestService } from "../../../test/support/service.ts";
import { operations } from "../../categories/index.ts";
import implemented from "./calendar.ts";
import manifest from "./manifest.ts";
import { makeState } from "./sandbox/data.ts";

let service: TestService;
let client: ReturnType<typeof createClient>;
beforeAll(async () => {
  service = await startService();
  client = createClient(service, { manifest, categories: [implemented] });
});
afterAll(() => service.close());

const operation = (name: string) => operations.find(({ id }) => id === `calendar.${name}`)!;
const events = (query: Record<string, string> = {}) => client.walk(operation("listEvents"), {}, [100], query);
const [main, birthdays, holidays, empty] = makeState().calendars;

test("exactly the events that start in the window are listed", async () => {
  const titles = (await events()).map(({ title }) => title);
  expect(titles).toEqual(expect.arrayContaining(["First", "No duration", "Last"]));
  for (const title of ["Over midnight", "Long trip", "Too late", "Day after"]) expect(titles).not.toContain(title);
});

test("a window that is longer than Graph's views has the events of its parts, each once", async () => {
  // The view that begins at the start ends in April 2026, among the events.
  const [start, middle, end] = ["2021-05-01T00:00:00Z", "2024-05-01T00:00:00Z", "2027-05-01T00:00:00Z"] as const;
  const whole = await events({ starts_after: start, starts_before: end });
  const halves = [
    ...(await events({ starts_after: start, starts_before: middle })),
    ...(await events({ starts_after: middle, starts_before: end })),
  ];
  expect(whole).toEqual(halves);
  expect(new Set(whole.map(({ id }) => id)).size).toBe(whole.length);
  // Exactly as long as a view may be.
  expect((await events({ starts_after: start, starts_before: "2026-04-30T00:00:00Z" })).length).toBeGreaterThan(100);
});

test("an event that lasts all day starts at midnight UTC, wherever the mailbox is", async () => {
  const hour = { starts_after: "2026-07-01T00:00:00Z", starts_before: "2026-07-01T01:00:00Z" };
  const listed = await events(hour);
  expect(listed.map(({ title }) => title).sort()).toEqual(["Day after", "Too late"]);
  expect(listed.find(({ is_all_day }) => is_all_day)).toMatchObject({
    start_date: "2026-07-01",
    end_date: "2026-07-02",
  });
  const next = { starts_after: "2026-07-01T00:00:01Z", starts_before: "2026-07-01T09:00:00Z" };
  expect(await events(next)).toEqual([]);
});

test("a recurring event is listed as its instances, which keep their local time when clocks change", async () => {
  const weekly = (await events()).filter(({ title }) => title === "Weekly stand-up – Grüße");
  expect(weekly).toHaveLength(26);
  expect(new Set(weekly.map(({ recurring_event_id }) => recurring_event_id)).size).toBe(1);
  expect(new Set(weekly.map(({ id }) => id)).size).toBe(26);
  const startOn = (date: string) => weekly.find(({ start_date }) => start_date.startsWith(date))!.start_date;
  expect(startOn("2026-03-23")).toBe("2026-03-23T08:00:00.000Z");
  expect(startOn("2026-03-30")).toBe("2026-03-30T07:00:00.000Z");
  // Moved and cancelled instances are still part of the series.
  expect(startOn("2026-02-02")).toBe("2026-02-02T14:30:00.000Z");
  expect(weekly.filter(({ status }) => status === "cancelled").map(({ start_date }) => start_date)).toEqual([
    "2026-02-16T08:00:00.000Z",
  ]);
});

test("time zones have IANA names or none", async () => {
  const zones = new Set((await events()).map(({ time_zone }) => time_zone));
  expect(zones).toEqual(new Set(["Europe/Berlin", "America/New_York", "Asia/Kolkata", "Asia/Tokyo", "UTC", null]));
});

test("events without a subject have no title, and texts are Markdown", async () => {
  const all = await events();
  expect(all.some(({ title }) => title === null)).toBe(true);
  expect(all.every(({ title }) => title !== "")).toBe(true);
  const { description } = all.find(({ title }) => title?.startsWith("Weekly"))!;
  expect(description).toBe("Agenda:\n\n- **Status**\n- Plans");
});

test("a calendar's events are listed with its id, the main calendar's without", async () => {
  expect(new Set((await events()).map(({ calendar_id }) => calendar_id))).toEqual(new Set([main!.id]));
  const listed = await events({ calendar_id: birthdays!.id });
  expect(listed.map(({ start_date }) => start_date)).toEqual([1, 2, 3, 4, 5].map((month) => `2026-0${month}-11`));
  expect(listed.every(({ calendar_id }) => calendar_id === birthdays!.id)).toBe(true);
  expect(await events({ calendar_id: empty!.id })).toEqual([]);
});

test("only the first page asks which calendar is the main one, and no page if the calendar is named", async () => {
  const pathsOf = async (query: Record<string, string>) => {
    const seen = await client.requests(async () => {
      await client.walk(operation("listEvents"), {}, [100], query);
    });
    return seen.map(({ path }) => path.split("?")[0]!.split("/").at(-1));
  };
  const views = await pathsOf({ calendar_id: main!.id });
  expect(views.length).toBeGreaterThan(2);
  expect(new Set(views)).toEqual(new Set(["calendarView"]));
  expect(await pathsOf({})).toEqual(["calendar", ...views]);
});

const create = (body: object, headers: Record<string, string> = {}) =>
  client.call(operation("createEvent"), {}, {}, headers, body);

test("an event that is created with every field is listed with them", async () => {
  const body = {
    title: "Zoë's début",
    start_date: "2026-05-04T09:00:00+02:00",
    end_date: "2026-05-04T10:30:00+02:00",
    calendar_id: empty!.id,
    description: "Agenda: *numbers* first\n\n- one\n- <two>",
    location: "Köln",
    time_zone: "Europe/Berlin",
    attendees: [{ email: "zoe@example.com", name: "Zoë" }, { email: "b@example.com" }],
  };
  const { data } = (await create(body)).body.response;
  expect(data).toMatchObject({
    title: body.title,
    start_date: "2026-05-04T07:00:00.000Z",
    end_date: "2026-05-04T08:30:00.000Z",
    description: "Agenda: _numbers_ first\n\n- one\n- \\<two>",
    location: "Köln",
    time_zone: "Europe/Berlin",
    calendar_id: empty!.id,
    is_all_day: false,
    attendees: [
      { name: "Zoë", email: "zoe@example.com", response: "none" },
      { name: "b@example.com", email: "b@example.com", response: "none" },
    ],
  });
  expect(await events({ calendar_id: empty!.id })).toEqual([data]);
});

test("an event that lasts all day is created by its days, in the main calendar by default", async () => {
  const { data } = (await create({ title: "Fair", start_date: "2026-08-01", end_date: "2026-08-03" })).body.response;
  expect(data).toMatchObject({ is_all_day: true, start_date: "2026-08-01", end_date: "2026-08-03" });
  expect(data.calendar_id).toBe(main!.id);
  const august = { starts_after: "2026-08-01T00:00:00Z", starts_before: "2026-08-02T00:00:00Z" };
  expect(await events(august)).toEqual([data]);
});

test("events with wrong dates are refused without a call to Graph", async () => {
  const seen = await client.requests(async () => {
    const { status, body } = await create({ title: "X", start_date: "2026-08-01", end_date: "2026-08-01" });
    expect([status, body.errors[0].path]).toEqual([400, ["body", "end_date"]]);
  });
  expect(seen).toEqual([]);
});

test("an event in a calendar that is unknown or read-only gives Graph's own error", async () => {
  const dates = { start_date: "2026-08-01", end_date: "2026-08-02" };
  const unknown = await create({ title: "X", ...dates, calendar_id: "AAMkNone" });
  expect([unknown.status, unknown.body.error.code]).toEqual([404, "ErrorItemNotFound"]);
  const readOnly = await create({ title: "X", ...dates, calendar_id: holidays!.id });
  expect([readOnly.status, readOnly.body.error.code]).toEqual([403, "ErrorAccessDenied"]);
});

test("requests with the same idempotency key have the same transaction id, others have another", async () => {
  const body = { title: "Once", start_date: "2026-08-11", end_date: "2026-08-12", calendar_id: birthdays!.id };
  const idOf = async (key: string) => {
    const [exchange] = await client.exchanges(() => create(body, { "Idempotency-Key": key, "SVC-Max-Retries": "0" }));
    return exchange?.request.body.transactionId;
  };
  // An answer of 429 is not remembered, so the request is sent again.
  await client.fault({ status: 429, retry_after: 0, times: 1 });
  const first = await idOf("key-1");
  await client.clearFaults();
  expect(first).toMatch(/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/);
  expect(await idOf("key-1")).toBe(first);
  expect(await idOf("key-2")).not.toBe(first);
});
