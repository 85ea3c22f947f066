import { awkwardTexts, hour, person, seeded, times } from "../../../emulator-kit/data.ts";
import { fromLocal, toLocal } from "./zone.ts";

const SINGLE_EVENTS = 160;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Base32hex, in which Google writes the ids of events. */
const CHARACTERS = "0123456789abcdefghijklmnopqrstuv";

export const ME = {
  id: "100000000012345678901",
  email: "ada@example.com",
  name: "Ada Lovelace",
  picture: "https://lh3.googleusercontent.com/a/sandbox=s96-c",
};
export const TEAM = "c_4f2team@group.calendar.google.com";
/** Behind UTC, so that its days start late. */
export const SAMOA = "c_9bpagopago@group.calendar.google.com";

const entry = (id: string, summary: string, timeZone: string, more: object = {}) => ({
  kind: "calendar#calendarListEntry",
  etag: `"${seeded(id.length).hex(16)}"`,
  id,
  summary,
  timeZone,
  colorId: "7",
  backgroundColor: "#42d692",
  foregroundColor: "#000000",
  selected: true,
  accessRole: "owner",
  defaultReminders: [],
  ...more,
});
type Entry = ReturnType<typeof entry> & {
  summaryOverride?: string;
  primary?: boolean;
  hidden?: boolean;
  deleted?: boolean;
};

export const makeCalendars = (): Entry[] => [
  entry(ME.email, ME.email, "Europe/Berlin", { primary: true }),
  entry(TEAM, "Team", "America/New_York", { summaryOverride: "Grüße, Team 🏳️‍🌈", accessRole: "writer" }),
  entry("en.german#holiday@group.v.calendar.google.com", "Holidays in Germany", "Europe/Berlin", {
    accessRole: "reader",
  }),
  entry(SAMOA, "", "Pacific/Pago_Pago"),
  entry("c_hidden@group.calendar.google.com", "Hidden", "UTC", { hidden: true }),
  entry("c_deleted@group.calendar.google.com", "Deleted", "UTC", { deleted: true }),
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

/** How an event takes part in a list: by itself, or as a series, one of its instances, or a changed instance. */
type Role = "single" | "series" | "instance" | "exception";

export interface StoredEvent {
  event: Event;
  role: Role;
  /** In milliseconds. Days start at midnight in the calendar's time zone. */
  start: number;
  end: number;
}

export interface State {
  calendars: Entry[];
  events: Map<string, StoredEvent[]>;
}

export function newId(seed: number): string {
  const random = seeded(seed);
  return times(26, () => CHARACTERS[random.int(32)]).join("");
}

export const timesOf = (start: number, end: number, timeZone: string) => ({
  start: { dateTime: toLocal(start, timeZone), timeZone },
  end: { dateTime: toLocal(end, timeZone), timeZone },
});

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
    creator: { email: ME.email, self },
    organizer: self ? { email: ME.email, self } : { email: calendar, displayName: "Team", self: true },
    iCalUID: `${id}@google.com`,
    sequence: 0,
    reminders: { useDefault: true },
    eventType: "default",
  };
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
    const name = [given, family].filter((part) => part?.trim()).join(" ");
    const responseStatus = RESPONSES[(index + guest) % RESPONSES.length];
    return { email: email || `guest-${guest}@example.com`, ...(name ? { displayName: name } : {}), responseStatus };
  });
  return guests.length > 0 ? { attendees: guests } : {};
}

function singleEvent(index: number, calendar: string, timeZone: string): StoredEvent {
  const start = Date.UTC(2025, 11, 28, 7) + index * 29 * HOUR_MS;
  const end = start + (index % 4) * HOUR_MS;
  const summary = TITLES[index % TITLES.length];
  const description = DESCRIPTIONS[index % DESCRIPTIONS.length];
  const event: Event = {
    ...commonFields(newId(1000 + index), hour(index * 5), calendar),
    ...timesOf(start, end, timeZone),
    ...(summary === undefined ? {} : { summary }),
    ...(description === undefined ? {} : { description }),
    ...(index % 3 === 0 ? { location: index % 2 ? "Straße des 17. Juni, Berlin" : "" } : {}),
    ...attendees(index),
    // Only the status tells that the event was deleted.
    status: index % 31 === 30 ? "cancelled" : index % 7 === 6 ? "tentative" : "confirmed",
    // Google knows events that were imported in the year 0.
    ...(index % 50 === 49 ? { created: "0000-12-29T00:00:00.000Z" } : {}),
  };
  return { event, role: "single", start, end };
}

function allDay(name: string, first: string, days: number, calendar: string, timeZone: string): StoredEvent {
  const last = new Date(Date.parse(first) + days * DAY_MS).toISOString().slice(0, 10);
  const event: Event = {
    ...commonFields(newId(Date.parse(first) / DAY_MS + days), hour(Date.parse(first) % 999), calendar),
    summary: name,
    start: { date: first },
    end: { date: last },
    transparency: "transparent",
  };
  const midnight = (day: string) => fromLocal(`${day}T00:00:00`, timeZone);
  return { event, role: "single", start: midnight(first), end: midnight(last) };
}

interface Series {
  seed: number;
  summary: string;
  /** The time of day, in the series' own time zone. */
  at: string;
  timeZone: string;
  first: string;
  count: number;
  everyDays: number;
}

/** A series and its instances. The fourth one is cancelled, and the sixth was moved by an hour. */
function series(given: Series, calendar: string, calendarZone: string): StoredEvent[] {
  const { seed, summary, at, timeZone, first, count, everyDays } = given;
  const id = newId(seed);
  const startOf = (index: number) => {
    const day = new Date(Date.parse(first) + index * everyDays * DAY_MS).toISOString().slice(0, 10);
    return fromLocal(`${day}T${at}`, timeZone);
  };
  const common = { ...commonFields(id, hour(seed), calendar), summary };
  const render = (start: number) => ({
    start: { dateTime: toLocal(start, calendarZone), timeZone },
    end: { dateTime: toLocal(start + HOUR_MS, calendarZone), timeZone },
  });
  const instances = times(count, (index): StoredEvent => {
    const planned = startOf(index);
    const start = index === 5 ? planned + HOUR_MS : planned;
    const suffix = new Date(planned).toISOString().replace(/[-:]|\.000/g, "");
    const identity = {
      kind: common.kind,
      etag: common.etag,
      id: `${id}_${suffix}`,
      recurringEventId: id,
      originalStartTime: { dateTime: toLocal(planned, calendarZone), timeZone },
    };
    const end = start + HOUR_MS;
    if (index === 3) return { event: { ...identity, status: "cancelled" }, role: "exception", start, end };
    const event = { ...common, ...identity, ...render(start), updated: hour(seed + index * 11).toISOString() };
    return { event, role: index === 5 ? "exception" : "instance", start, end };
  });
  const recurrence = [`RRULE:FREQ=DAILY;INTERVAL=${everyDays};COUNT=${count}`];
  const whole: StoredEvent = {
    event: { ...common, ...render(startOf(0)), recurrence },
    role: "series",
    start: startOf(0),
    end: startOf(count - 1) + HOUR_MS,
  };
  return [whole, ...instances];
}

/** An event between two times in UTC. */
function between(summary: string, from: string, to: string, timeZone: string): StoredEvent {
  const [start, end] = [Date.parse(from), Date.parse(to)] as const;
  const common = commonFields(newId(start / 1000 + summary.length), hour(summary.length), ME.email);
  return { event: { ...common, summary, ...timesOf(start, end, timeZone) }, role: "single", start, end };
}

export const STANDUP: Series = {
  seed: 7,
  summary: "Standup",
  at: "09:30:00",
  timeZone: "Europe/Berlin",
  first: "2025-12-15",
  count: 190,
  everyDays: 1,
};
const CALL: Series = {
  ...STANDUP,
  seed: 8,
  summary: "Call",
  at: "10:00:00",
  timeZone: "America/New_York",
  count: 30,
  everyDays: 7,
};

function primaryEvents(): StoredEvent[] {
  const zone = "Europe/Berlin";
  const day = (name: string, first: string, days = 1) => allDay(name, first, days, ME.email, zone);
  return [
    ...series(STANDUP, ME.email, zone),
    ...series(CALL, ME.email, zone),
    ...times(SINGLE_EVENTS, (index) => singleEvent(index, ME.email, zone)),
    day("Holidays", "2025-12-24", 14),
    day("New Year's Day", "2026-01-01"),
    day("Clocks go forward", "2026-03-29"),
    day("Offsite", "2026-03-28", 3),
    day("End of the quarter", "2026-06-30"),
    day("Start of the quarter", "2026-07-01"),
    between("New Year's party", "2025-12-31T20:00:00Z", "2026-01-01T03:00:00Z", zone),
    between("Fireworks", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z", zone),
    between("Shift", "2026-03-28T22:00:00Z", "2026-03-29T04:00:00Z", zone),
    between("Half-time", "2026-07-01T00:00:00Z", "2026-07-01T01:00:00Z", zone),
  ];
}

export function makeState(): State {
  const calendars = makeCalendars();
  const others: [string, StoredEvent[]][] = calendars
    .slice(1)
    .map(({ id, timeZone }, calendar) => [
      id,
      [
        ...times(5, (index) => singleEvent(500 + calendar * 10 + index, id, timeZone)),
        allDay("Founders' day", "2026-06-30", 1, id, timeZone),
      ],
    ]);
  return { calendars, events: new Map([[ME.email, primaryEvents()], ...others]) };
}
