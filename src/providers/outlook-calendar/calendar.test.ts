import type { Calendar as SdkCalendar, Event as SdkEvent } from "@microsoft/microsoft-graph-types";
import { describe, expect, test } from "vitest";
import { type AnyList, type AnyPageContext, keptItems } from "../../../test/support/implementation.ts";
import calendar from "./calendar.ts";
import type { GraphCalendar, GraphEvent } from "./records.ts";
import type { Calendar } from "./sandbox/data.ts";
import type { Event } from "./sandbox/events.ts";
import { newEvent } from "./writes.ts";

// Compile-time checks that Graph's own types fit ours and the emulator's data. They declare every field optional, but
// every answer has an id.
type Identified = { id: string };
const calendarOf = (one: SdkCalendar & Identified): GraphCalendar => one;
const eventOf = (event: SdkEvent & Identified): GraphEvent => event;
({}) as Calendar satisfies SdkCalendar;
({}) as Event satisfies SdkEvent;

const { listCalendars, listEvents } = calendar.operations as Record<string, AnyList>;
const window = { starts_after: "2026-03-01T00:00:00Z", starts_before: "2026-04-01T00:00:00+02:00" };
const [place] = await listEvents!.places!({ ...({} as AnyPageContext), input: { ...window, calendar_id: "CAL" } });
const context = (more: object = {}) => ({ input: window, limit: 50, place, ...more }) as AnyPageContext;
const record = (event: SdkEvent) => listEvents!.record(eventOf({ id: "1", ...event }), context());
const at = (dateTime: string) => ({ dateTime: `${dateTime}.0000000`, timeZone: "UTC" });

test("a calendar says whether it is the main one", () => {
  const named = (isDefaultCalendar?: boolean) =>
    listCalendars!.record(
      calendarOf({ id: "1", name: "Arbeit", ...(isDefaultCalendar && { isDefaultCalendar }) }),
      context(),
    );
  expect(named(true)).toEqual({ id: "1", name: "Arbeit", is_primary: true, time_zone: null });
  expect(named()).toMatchObject({ is_primary: false });
});

describe("records", () => {
  test("an event has its times in UTC and the IANA name of the zone in which it was planned", () => {
    const event = record({
      subject: "Plan",
      start: at("2026-03-30T07:00:00"),
      end: at("2026-03-30T07:30:00"),
      originalStartTimeZone: "W. Europe Standard Time",
      webLink: "https://outlook.office365.com/1",
      location: { displayName: "Room 1" },
      organizer: { emailAddress: { name: "Ada", address: "ada@example.com" } },
      seriesMasterId: "M",
      createdDateTime: "2026-01-01T00:00:00.1234567Z",
      lastModifiedDateTime: "2026-01-02T00:00:00Z",
    });
    expect(event).toEqual({
      id: "1",
      title: "Plan",
      description: null,
      start_date: "2026-03-30T07:00:00.000Z",
      end_date: "2026-03-30T07:30:00.000Z",
      status: "confirmed",
      url: "https://outlook.office365.com/1",
      location: "Room 1",
      is_all_day: false,
      time_zone: "Europe/Berlin",
      organizer: { name: "Ada", email: "ada@example.com" },
      attendees: [],
      recurring_event_id: "M",
      calendar_id: "CAL",
      created_at: "2026-01-01T00:00:00.123Z",
      updated_at: "2026-01-02T00:00:00.000Z",
    });
  });

  test("an all-day event has dates, the end being the day after the last", () => {
    const event = { isAllDay: true, start: at("2026-03-29T00:00:00"), end: at("2026-03-31T00:00:00") };
    expect(record(event)).toMatchObject({ start_date: "2026-03-29", end_date: "2026-03-31", is_all_day: true });
  });

  test.each(["", null, undefined])("an event with the subject %j has no title", (subject) => {
    expect(record(subject === undefined ? {} : { subject })).toMatchObject({
      title: null,
      location: null,
      organizer: null,
      time_zone: null,
    });
  });

  test.each<[SdkEvent, string]>([
    [{ isCancelled: true, showAs: "tentative" }, "cancelled"],
    [{ showAs: "tentative" }, "tentative"],
    [{ showAs: "free" }, "confirmed"],
    [{}, "confirmed"],
  ])("an event with %j is %s", (fields, status) => {
    expect(record(fields)).toMatchObject({ status });
  });

  test("HTML and plain text become Markdown", () => {
    const content = "<html><head><style>p {margin:0}</style></head>\r\n<body><p>Hi <b>all</b></p>\r\n</body></html>";
    expect(record({ body: { contentType: "html", content } })).toMatchObject({ description: "Hi **all**" });
    expect(record({ body: { contentType: "text", content: "1 * 2\r\n*3*" } })).toMatchObject({
      description: expect.stringMatching(/^1 \\?\* 2 {2}\n\\\*3\\\*$/),
    });
    expect(record({ body: { contentType: "html", content: "<html><body></body></html>" } })).toMatchObject({
      description: null,
    });
  });

  test.each([
    ["accepted", "accepted"],
    ["organizer", "accepted"],
    ["declined", "declined"],
    ["tentativelyAccepted", "tentative"],
    ["notResponded", "none"],
    ["none", "none"],
  ] as const)("an attendee who answered %s has the response %s", (response, expected) => {
    const attendees = [{ emailAddress: { address: "a@example.com" }, status: { response } }];
    expect(record({ attendees })).toMatchObject({
      attendees: [{ name: null, email: "a@example.com", response: expected }],
    });
  });
});

describe("the window", () => {
  const starting = (...times: string[]) =>
    keptItems(listEvents!, { value: times.map((time) => eventOf({ id: time, start: at(time) })) }, context()).map(
      ({ id }) => id,
    );

  test("only events that start in the window are listed, whatever the offsets of its times", () => {
    expect(
      starting("2026-02-28T23:59:59", "2026-03-01T00:00:00", "2026-03-31T21:59:59", "2026-03-31T22:00:00"),
    ).toEqual(["2026-03-01T00:00:00", "2026-03-31T21:59:59"]);
  });

  test("Graph is asked for half a day more, in UTC and sorted", () => {
    const { path, query, locked, headers } = listEvents!.request(context());
    expect(path).toBe("/me/calendars/CAL/calendarView");
    expect(query).toEqual({ $orderby: "start/dateTime" });
    expect(locked).toMatchObject({
      startDateTime: "2026-03-01T00:00:00.000Z",
      endDateTime: "2026-04-01T10:00:00.000Z",
      $top: 50,
    });
    expect(headers).toEqual({ prefer: 'outlook.timezone="UTC"' });
  });
});

describe("a new event", () => {
  const KEY = "0123456789abcdef".repeat(4);
  const given = { title: "Plan", start_date: "2026-03-30T09:00:00Z", end_date: "2026-03-30T12:30:00+02:00" };
  const sent = (more: object = {}) => newEvent({ ...given, ...more }, KEY);

  test("everything is sent that is given, and the write key as a transaction id", () => {
    const event = sent({
      description: "**Bold** <b>",
      location: "Köln",
      time_zone: "Europe/Berlin",
      attendees: [{ email: "zoe@example.com", name: "Zoë" }, { email: "b@example.com" }],
    });
    expect(event).toEqual({
      subject: "Plan",
      start: { dateTime: "2026-03-30T11:00:00", timeZone: "Europe/Berlin" },
      end: { dateTime: "2026-03-30T12:30:00", timeZone: "Europe/Berlin" },
      isAllDay: false,
      body: { contentType: "html", content: "<p><strong>Bold</strong> &lt;b&gt;</p>\n" },
      location: { displayName: "Köln" },
      attendees: [
        { emailAddress: { address: "zoe@example.com", name: "Zoë" }, type: "required" },
        { emailAddress: { address: "b@example.com" }, type: "required" },
      ],
      transactionId: "01234567-89ab-cdef-0123-456789abcdef",
    } satisfies SdkEvent);
  });

  test("without a zone the times are in UTC, and nothing is sent that is not given", () => {
    expect(Object.keys(sent())).toEqual(["subject", "start", "end", "isAllDay", "transactionId"]);
    expect(sent().end).toEqual({ dateTime: "2026-03-30T10:30:00", timeZone: "UTC" });
  });

  test("an event that lasts all day is at midnight of its zone", () => {
    const days = { start_date: "2026-03-29", end_date: "2026-03-30", time_zone: "Asia/Tokyo" };
    expect(sent(days)).toMatchObject({
      isAllDay: true,
      start: { dateTime: "2026-03-29T00:00:00", timeZone: "Asia/Tokyo" },
      end: { dateTime: "2026-03-30T00:00:00", timeZone: "Asia/Tokyo" },
    });
  });

  test("an hour that clocks show twice is sent in UTC", () => {
    const night = { start_date: "2026-10-25T01:30:00Z", end_date: "2026-10-25T03:00:00Z", time_zone: "Europe/Berlin" };
    expect(sent(night)).toMatchObject({
      start: { dateTime: "2026-10-25T01:30:00", timeZone: "UTC" },
      end: { dateTime: "2026-10-25T04:00:00", timeZone: "Europe/Berlin" },
    });
  });
});
