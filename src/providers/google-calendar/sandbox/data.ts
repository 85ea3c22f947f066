import { awkwardTexts, customSample, hour, person, seeded, times, toDay } from "../../../emulator-kit/index.ts";
import { joinName } from "../../../provider-kit/index.ts";
import { fromLocal, toLocal } from "./zone.ts";

const SINGLE_EVENTS = 160;
const DAY_MS = 86_400_000;
export const HOUR_MS = 3_600_000;

export const ME = {
  sub: "100000000012345678901",
  email: "ada@example.com",
  email_verified: true,
  name: "Ada Lovelace",
  picture: "https://lh3.googleusercontent.com/a/sandbox=s96-c",
};
export const TEAM = "c_4f2team@group.calendar.google.com";
/** Behind UTC, so that its days start late. */
export const SAMOA = "c_9bpagopago@group.calendar.google.com";

/** A calendar on the user's list. */
export interface Calendar {
  id: string;
  summary: string;
  timeZone: string;
  accessRole?: string;
  summaryOverride?: string;
  primary?: boolean;
  hidden?: boolean;
  deleted?: boolean;
}

const CALENDARS: Calendar[] = [
  { id: ME.email, summary: ME.email, timeZone: "Europe/Berlin", primary: true },
  { id: TEAM, summary: "Team", timeZone: "America/New_York", summaryOverride: "Grüße, Team 🏳️‍🌈", accessRole: "writer" },
  {
    id: "en.german#holiday@group.v.calendar.google.com",
    summary: "Holidays in Germany",
    timeZone: "Europe/Berlin",
    accessRole: "reader",
  },
  { id: SAMOA, summary: "", timeZone: "Pacific/Pago_Pago" },
  { id: "c_hidden@group.calendar.google.com", summary: "Hidden", timeZone: "UTC", hidden: true },
  { id: "c_deleted@group.calendar.google.com", summary: "Deleted", timeZone: "UTC", deleted: true },
];

export interface EventTime {
  date?: string;
  dateTime?: string;
  timeZone?: string;
}
/** An event as Google sends it: see the official description for its fields. */
export interface Event {
  id: string;
  status: string;
  updated?: string;
  start?: EventTime;
  [field: string]: unknown;
}

export interface StoredEvent {
  event: Event;
  /** How it takes part in a list: by itself, or as a series, one of its instances, or a changed instance. */
  role: "single" | "series" | "instance" | "exception";
  /** In milliseconds. Days start at midnight in the calendar's time zone. */
  start: number;
  end: number;
}

export interface State {
  calendars: Calendar[];
  events: Map<string, StoredEvent[]>;
}

/** Base32hex, in which Google writes the ids of events. */
export const newId = (seed: number): string => seeded(seed).text(26, "0123456789abcdefghijklmnopqrstuv");

/** What every event has. */
export function commonFields(id: string, created: Date, calendar: string) {
  const self = calendar === ME.email;
  return {
    kind: "calendar#event",
    etag: `"${created.getTime()}000"`,
    id,
    status: "confirmed",
    htmlLink: `https://www.google.com/calendar/event?eid=${Buffer.from(`${id} ${calendar}`).toString("base64url")}`,
    created: created.toISOString(),
    updated: created.toISOString(),
    organizer: self ? { email: ME.email, self } : { email: calendar, displayName: "Team", self: true },
    iCalUID: `${id}@google.com`,
  };
}

/** An event by itself, between two times in milliseconds. */
export function singleEvent(
  { id: calendar, timeZone }: Calendar,
  { seed, created, start, end }: { seed: number; created: Date; start: number; end: number },
  fields: object,
): StoredEvent {
  const timeOf = (time: number) => ({ dateTime: toLocal(time, timeZone), timeZone });
  const common = commonFields(newId(seed), created, calendar);
  return { event: { ...common, start: timeOf(start), end: timeOf(end), ...fields }, role: "single", start, end };
}

const DESCRIPTIONS = [
  "Agenda:\r\n1. Numbers\r\n2. *Plans*",
  "<p>Bring your <b>notes</b></p><ul><li>One &amp; two</li><li>Three</li></ul>",
  'First line<br>second, with a <a href="https://example.com/?a=1&amp;b=2">link</a>',
  "From <ada@example.com>, if a < b & c",
  "",
  undefined,
  ...awkwardTexts,
];
const RESPONSES = ["needsAction", "accepted", "declined", "tentative"];
const TITLES = [...awkwardTexts, undefined, "Review", "  "];

function attendees(index: number) {
  const guests = times(index % 5, (guest) => {
    const { given, family, email } = person(index + guest);
    const displayName = joinName(given, family);
    const responseStatus = RESPONSES[(index + guest) % RESPONSES.length];
    return { email: email || `guest-${guest}@example.com`, ...(displayName && { displayName }), responseStatus };
  });
  return guests.length > 0 ? { attendees: guests } : {};
}

/** Properties that apps have added: all are texts, and empty ones do not exist. */
function ownProperties(index: number) {
  const { tier, note, score } = customSample(index);
  const shared = { ...(tier && { tier }), ...(note && { note }) };
  const own = { ...(score !== null && { score: String(score) }) };
  const extendedProperties = {
    ...(Object.keys(shared).length > 0 && { shared }),
    ...(Object.keys(own).length > 0 && { private: own }),
  };
  return Object.keys(extendedProperties).length > 0 ? { extendedProperties } : {};
}

function madeUpEvent(index: number, calendar: Calendar): StoredEvent {
  const start = Date.UTC(2025, 11, 28, 7) + index * 29 * HOUR_MS;
  const end = start + (index % 4) * HOUR_MS;
  const summary = TITLES[index % TITLES.length];
  const description = DESCRIPTIONS[index % DESCRIPTIONS.length];
  return singleEvent(
    calendar,
    { seed: 1000 + index, created: hour(index * 5), start, end },
    {
      ...(summary !== undefined && { summary }),
      ...(description !== undefined && { description }),
      ...(index % 3 === 0 && { location: index % 2 ? "Straße des 17. Juni, Berlin" : "" }),
      ...attendees(index),
      ...ownProperties(index),
      // Only the status tells that the event was deleted.
      status: index % 31 === 30 ? "cancelled" : index % 7 === 6 ? "tentative" : "confirmed",
      // Google knows events that were imported in the year 0.
      ...(index % 50 === 49 && { created: "0000-12-29T00:00:00.000Z" }),
    },
  );
}

function allDay({ id: calendar, timeZone }: Calendar, summary: string, first: string, days = 1): StoredEvent {
  const last = toDay(new Date(Date.parse(first) + days * DAY_MS));
  const common = commonFields(newId(Date.parse(first) / DAY_MS + days), hour(Date.parse(first) % 999), calendar);
  const midnight = (day: string) => fromLocal(`${day}T00:00:00`, timeZone);
  const event = { ...common, summary, start: { date: first }, end: { date: last } };
  return { event, role: "single", start: midnight(first), end: midnight(last) };
}

interface Series {
  seed: number;
  summary: string;
  /** The time of day, in the series' own time zone. */
  at: string;
  timeZone: string;
  count: number;
  everyDays: number;
}

/** A series and its instances. The fourth one is cancelled, and the sixth was moved by an hour. */
function series(calendar: Calendar, { seed, summary, at, timeZone, count, everyDays }: Series): StoredEvent[] {
  const id = newId(seed);
  const startOf = (index: number) => {
    const day = toDay(new Date(Date.parse("2025-12-15") + index * everyDays * DAY_MS));
    return fromLocal(`${day}T${at}`, timeZone);
  };
  const timeOf = (time: number) => ({ dateTime: toLocal(time, calendar.timeZone), timeZone });
  const common = { ...commonFields(id, hour(seed), calendar.id), summary };
  const instances = times(count, (index): StoredEvent => {
    const planned = startOf(index);
    const start = index === 5 ? planned + HOUR_MS : planned;
    const end = start + HOUR_MS;
    const identity = {
      kind: common.kind,
      etag: common.etag,
      id: `${id}_${new Date(planned).toISOString().replace(/[-:]|\.000/g, "")}`,
      recurringEventId: id,
      originalStartTime: timeOf(planned),
    };
    if (index === 3) return { event: { ...identity, status: "cancelled" }, role: "exception", start, end };
    const updated = hour(seed + index * 11).toISOString();
    const event = { ...common, ...identity, start: timeOf(start), end: timeOf(end), updated };
    return { event, role: index === 5 ? "exception" : "instance", start, end };
  });
  const recurrence = [`RRULE:FREQ=DAILY;INTERVAL=${everyDays};COUNT=${count}`];
  const [start, end] = [startOf(0), startOf(count - 1) + HOUR_MS];
  const event = { ...common, start: timeOf(start), end: timeOf(start + HOUR_MS), recurrence };
  return [{ event, role: "series", start, end }, ...instances];
}

function primaryEvents(calendar: Calendar): StoredEvent[] {
  const day = (summary: string, first: string, days?: number) => allDay(calendar, summary, first, days);
  /** Between two times in UTC. */
  const between = (summary: string, from: string, to: string) => {
    const [start, end] = [Date.parse(from), Date.parse(to)] as const;
    const made = { seed: start / 1000 + summary.length, created: hour(summary.length), start, end };
    return singleEvent(calendar, made, { summary });
  };
  const standup = { seed: 7, summary: "Standup", at: "09:30:00", timeZone: "Europe/Berlin", count: 190, everyDays: 1 };
  const call = { seed: 8, summary: "Call", at: "10:00:00", timeZone: "America/New_York", count: 30, everyDays: 7 };
  return [
    ...series(calendar, standup),
    ...series(calendar, call),
    ...times(SINGLE_EVENTS, (index) => madeUpEvent(index, calendar)),
    day("Holidays", "2025-12-24", 14),
    day("New Year's Day", "2026-01-01"),
    day("Clocks go forward", "2026-03-29"),
    day("Offsite", "2026-03-28", 3),
    day("End of the quarter", "2026-06-30"),
    day("Start of the quarter", "2026-07-01"),
    between("New Year's party", "2025-12-31T20:00:00Z", "2026-01-01T03:00:00Z"),
    between("Fireworks", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"),
    between("Shift", "2026-03-28T22:00:00Z", "2026-03-29T04:00:00Z"),
    between("Half-time", "2026-07-01T00:00:00Z", "2026-07-01T01:00:00Z"),
  ];
}

export function makeState(): State {
  const eventsOf = (calendar: Calendar, index: number) =>
    index === 0
      ? primaryEvents(calendar)
      : [
          ...times(5, (event) => madeUpEvent(490 + index * 10 + event, calendar)),
          allDay(calendar, "Founders' day", "2026-06-30"),
        ];
  return {
    calendars: CALENDARS.map((calendar) => ({ kind: "calendar#calendarListEntry", accessRole: "owner", ...calendar })),
    events: new Map(CALENDARS.map((calendar, index) => [calendar.id, eventsOf(calendar, index)])),
  };
}
