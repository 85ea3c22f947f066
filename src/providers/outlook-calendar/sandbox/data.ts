import { awkwardTexts, graphUser, hour, times, toDay } from "../../../emulator-kit/index.ts";
import { escapeEntities } from "../../../provider-kit/index.ts";
import { attendee, type Event, htmlBody, outlookId, type Plan, personOf, plan, type StoredEvent } from "./events.ts";

const CALENDARS = 14;
const SINGLE_EVENTS = 130;
const DAY = 24 * 3_600_000;
const DAY_MINUTES = 24 * 60;

const calendar = (index: number) => ({
  id: outlookId(10 + index),
  name: ["Calendar", "Geburtstage & Grüße", "日本の祝日", "Empty"][index] ?? `Project ${index}`,
  isDefaultCalendar: index === 0,
  canEdit: index !== 2,
  isRemovable: index !== 0,
  owner: personOf(graphUser(0)).emailAddress,
});
export type Calendar = ReturnType<typeof calendar>;

const day = (first: string, after: number): string => toDay(new Date(Date.parse(first) + after * DAY));

const guest = (index: number, response: Parameters<typeof attendee>[1]) =>
  attendee(personOf(graphUser(index)), response, response === "none" ? undefined : hour(index).toISOString());

/** Instances of recurring events. They keep their local time when clocks change. */
function occurrences(): StoredEvent[] {
  const standUp: Partial<Event> = {
    subject: "Weekly stand-up – Grüße",
    type: "occurrence",
    seriesMasterId: outlookId(20_000),
    body: htmlBody("<p>Agenda:</p>\r\n<ul><li><b>Status</b></li><li>Plans</li></ul>"),
    location: { displayName: "Raum Köln" },
    attendees: [guest(1, "accepted"), guest(2, "declined"), guest(13, "none"), guest(4, "notResponded")],
  };
  // One instance was moved, another one cancelled by its organizer.
  const exceptions: Record<number, Partial<Event>> = {
    4: { type: "exception" },
    6: { type: "exception", isCancelled: true },
  };
  const weekly = times(
    30,
    (index): Plan => ({
      seed: 20_100 + index,
      at: `${day("2026-01-05", index * 7)}T${index === 4 ? "15:30:00" : "09:00:00"}`,
      zone: "Europe/Berlin",
      zoneName: "W. Europe Standard Time",
      minutes: 30,
      fields: { ...standUp, ...exceptions[index] },
    }),
  );
  const sync = outlookId(21_000);
  const daily = times(
    190,
    (index): Plan => ({
      seed: 21_100 + index,
      at: `${day("2025-12-29", index)}T10:00:00`,
      zone: "America/New_York",
      zoneName: "Eastern Standard Time",
      minutes: 15,
      fields: { subject: "Daily sync", type: "occurrence", seriesMasterId: sync, showAs: "free" },
    }),
  );
  return [...weekly, ...daily].map(plan);
}

const ZONES: [zone: string, zoneName?: string][] = [
  ["Europe/Berlin", "W. Europe Standard Time"],
  ["Asia/Kolkata", "India Standard Time"],
  ["America/New_York", "Eastern Standard Time"],
  ["Asia/Tokyo"],
  ["UTC", "tzone://Microsoft/Utc"],
  // A zone that was made up by some client.
  ["Europe/Paris", "tzone://Microsoft/Custom"],
];

function fieldsOf(index: number): Partial<Event> {
  const text = awkwardTexts[index % awkwardTexts.length]!;
  const organizer = personOf(graphUser(3));
  switch (index % 12) {
    case 0:
      return { subject: text, body: htmlBody(`<p>${escapeEntities(text)}</p>`) };
    case 1:
      return { subject: "" };
    case 2:
      return { subject: null, body: { contentType: "text", content: "Plain *text*\r\nwith two lines" } };
    case 3:
      return { subject: "Holiday", isAllDay: true, showAs: "oof" };
    case 4:
      return { organizer, subject: "Maybe", showAs: "tentative" };
    case 5: {
      const attendees = [guest(0, "tentativelyAccepted")];
      return { organizer, subject: "Canceled: Review", isCancelled: true, attendees };
    }
    case 6:
      return { attendees: [attendee({ emailAddress: { name: "", address: "" } }, "organizer")] };
    case 7:
      return { subject: "Private appointment", location: { displayName: "https://example.com/meet" } };
    default:
      return {};
  }
}

function single(index: number): StoredEvent {
  const [zone, zoneName] = ZONES[index % ZONES.length]!;
  const date = day("2026-01-01", index);
  const fields = fieldsOf(index);
  const planned = fields.isAllDay
    ? { at: `${date}T00:00:00`, minutes: (1 + (index % 3)) * DAY_MINUTES }
    : { at: `${date}T14:00:00`, minutes: 45 };
  return plan({ ...planned, seed: 30_000 + index, zone, ...(zoneName && { zoneName }), fields });
}

/** Around the window that lists are tested with: 1 January to 1 July 2026, UTC. */
function borders(): StoredEvent[] {
  const planned: [at: string, minutes: number, fields: Partial<Event>][] = [
    ["2025-12-31T23:30:00", 60, { subject: "Over midnight" }],
    ["2025-12-20T00:00:00", 30 * DAY_MINUTES, { subject: "Long trip" }],
    ["2026-01-01T00:00:00", 60, { subject: "First" }],
    ["2026-01-01T00:00:00", 0, { subject: "No duration" }],
    ["2026-06-30T23:59:00", 60, { subject: "Last" }],
    ["2026-07-01T00:00:00", 60, { subject: "Too late" }],
    ["2026-07-01T00:00:00", DAY_MINUTES, { subject: "Day after", isAllDay: true }],
  ];
  return planned.map(([at, minutes, fields], index) =>
    plan({ seed: 40_000 + index, at, zone: "UTC", minutes, fields }),
  );
}

export interface State {
  calendars: Calendar[];
  /** By calendar. */
  events: Map<string, StoredEvent[]>;
}

export function makeState(): State {
  const calendars = times(CALENDARS, calendar);
  const birthdays = times(5, (index) =>
    plan({
      seed: 50_000 + index,
      at: `2026-0${index + 1}-11T00:00:00`,
      zone: "UTC",
      minutes: DAY_MINUTES,
      fields: { subject: `Geburtstag ${index}`, isAllDay: true, showAs: "free" },
    }),
  );
  const main = [...borders(), ...occurrences(), ...times(SINGLE_EVENTS, single)];
  return {
    calendars,
    events: new Map(calendars.map(({ id }, index) => [id, [main, birthdays][index] ?? []])),
  };
}
