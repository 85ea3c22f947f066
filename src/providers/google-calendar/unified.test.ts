import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "../../../test/conformance/client.ts";
import { startService, type TestService } from "../../../test/support/service.ts";
import { operations } from "../../categories/index.ts";
import implemented from "./calendar.ts";
import manifest from "./manifest.ts";
import { ME, SAMOA, TEAM } from "./sandbox/data.ts";

let service: TestService;
let client: ReturnType<typeof createClient>;
beforeAll(async () => {
  service = await startService();
  client = createClient(service, { manifest, categories: [implemented] });
});
afterAll(() => service.close());

const operation = (name: string) => operations.find(({ id }) => id === `calendar.${name}`)!;
const walk = (starts_after: string, starts_before: string, query: Record<string, string> = {}) =>
  client.walk(operation("listEvents"), {}, [100], { starts_after, starts_before, ...query });
const titles = (events: { title: string }[]) => events.map(({ title }) => title);
const startMs = ({ start_date }: { start_date: string }) => Date.parse(start_date);

test("the list has exactly the events that start in the window, in order", async () => {
  const [after, before] = ["2026-01-01T00:00:00Z", "2026-07-01T00:00:00Z"];
  const found = await walk(after, before);
  for (const event of found) {
    expect(startMs(event)).toBeGreaterThanOrEqual(Date.parse(after));
    expect(startMs(event)).toBeLessThan(Date.parse(before));
  }
  const wider = await walk("2025-12-01T00:00:00Z", "2026-08-01T00:00:00Z");
  const within = wider.filter((event) => startMs(event) >= Date.parse(after) && startMs(event) < Date.parse(before));
  expect(found.map(({ id }) => id).sort()).toEqual(within.map(({ id }) => id).sort());
  expect(wider.length).toBeGreaterThan(found.length);
});

test("an event at the window's start is in it, one that is under way is not", async () => {
  const found = titles(await walk("2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z"));
  expect(found).toContain("Fireworks");
  expect(found).toContain("New Year's Day");
  expect(found).not.toContain("New Year's party");
  expect(found).not.toContain("Holidays");
});

test("an event at the window's end is not in it", async () => {
  const found = titles(await walk("2026-06-30T00:00:00Z", "2026-07-01T00:00:00Z"));
  expect(found).toContain("End of the quarter");
  expect(found).not.toContain("Start of the quarter");
  expect(found).not.toContain("Half-time");
});

test("a window with another offset and with milliseconds is exact", async () => {
  const found = titles(await walk("2026-01-01T02:00:00.000+02:00", "2026-01-01T02:00:00.001+02:00"));
  expect(found).toContain("Fireworks");
  expect(titles(await walk("2026-01-01T00:00:00.001Z", "2026-01-01T00:30:00Z"))).not.toContain("Fireworks");
});

test("an event that lasts all day starts at midnight UTC, even if the calendar's day starts eleven hours later", async () => {
  const read = async (from: string, to: string) => titles(await walk(from, to, { calendar_id: SAMOA }));
  expect(await read("2026-06-30T00:00:00Z", "2026-06-30T00:00:01Z")).toContain("Founders' day");
  expect(await read("2026-06-30T00:00:01Z", "2026-07-01T00:00:00Z")).not.toContain("Founders' day");
});

test("a series comes as its instances, at the same time of day before and after the clocks change", async () => {
  const found = await walk("2026-03-27T00:00:00Z", "2026-03-31T00:00:00Z");
  const standups = found.filter(({ title }) => title === "Standup");
  expect(standups.map(({ start_date }) => start_date)).toEqual([
    "2026-03-27T08:30:00.000Z",
    "2026-03-28T08:30:00.000Z",
    "2026-03-29T07:30:00.000Z",
    "2026-03-30T07:30:00.000Z",
  ]);
  expect(new Set(standups.map(({ recurring_event_id }) => recurring_event_id)).size).toBe(1);
  expect(new Set(standups.map(({ id }) => id)).size).toBe(4);
  const shift = found.find(({ title }) => title === "Shift")!;
  expect(startMs({ start_date: shift.end_date }) - startMs(shift)).toBe(6 * 3_600_000);
});

test("a series of another time zone keeps that zone's time of day", async () => {
  const calls = (await walk("2026-02-20T00:00:00Z", "2026-04-07T00:00:00Z")).filter(({ title }) => title === "Call");
  // New York changes its clocks on March 8, three weeks before Berlin.
  expect(calls.map(({ start_date }) => start_date.slice(11, 16))).toEqual(
    calls.map(({ start_date }) => (start_date < "2026-03-08" ? "15:00" : "14:00")),
  );
  expect(calls.length).toBeGreaterThan(5);
  for (const { time_zone } of calls) expect(time_zone).toBe("America/New_York");
});

test("canceled instances and deleted events are listed with the status cancelled, and can be left out", async () => {
  const window = ["2025-12-15T00:00:00Z", "2026-07-01T00:00:00Z"] as const;
  const found = await walk(...window);
  const cancelled = found.filter(({ status }) => status === "cancelled");
  expect(cancelled).toContainEqual(
    expect.objectContaining({ title: null, start_date: "2025-12-18T08:30:00.000Z", organizer: null }),
  );
  expect(cancelled.some(({ recurring_event_id }) => recurring_event_id === null)).toBe(true);
  const left = await walk(...window, { params: JSON.stringify({ showDeleted: false }) });
  expect(left).toEqual(found.filter(({ status }) => status !== "cancelled"));
});

test("events name their calendar as the list of calendars does", async () => {
  const calendars = await client.walk(operation("listCalendars"), {}, [100]);
  expect(calendars.map(({ id }) => id)).not.toContain("c_hidden@group.calendar.google.com");
  expect(calendars[0]).toEqual({
    id: ME.email,
    name: ME.email,
    is_primary: true,
    time_zone: "Europe/Berlin",
    custom: {},
  });
  expect(calendars.find(({ id }) => id === TEAM)!.name).toBe("Grüße, Team 🏳️‍🌈");
  const window = ["2026-06-30T00:00:00Z", "2026-07-01T00:00:00Z"] as const;
  for (const { id } of calendars) {
    const events = await walk(...window, { calendar_id: id });
    expect(events.map(({ calendar_id }) => calendar_id)).toEqual(events.map(() => id));
  }
  const [byDefault, byAlias] = [await walk(...window), await walk(...window, { calendar_id: "primary" })];
  expect(byAlias).toEqual(byDefault);
  expect(byDefault[0].calendar_id).toBe(ME.email);
});

test("`params` cannot turn instances into series or change the window", async () => {
  const window = ["2026-03-27T00:00:00Z", "2026-03-28T00:00:00Z"] as const;
  const conflicting = JSON.stringify({ singleEvents: false, timeMin: "2020-01-01T00:00:00Z", syncToken: "x" });
  expect(await walk(...window, { params: conflicting })).toEqual(await walk(...window));
});
