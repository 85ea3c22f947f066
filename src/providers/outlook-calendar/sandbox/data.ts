import { awkwardTexts, hour, seeded, times } from "../../../emulator-kit/data.ts";
import { user } from "../../../emulator-kit/microsoft-graph.ts";
import { escapeEntities } from "../../../provider-kit/text/escape.ts";
import {
  type Event,
  html,
  NEVER,
  outlookId,
  type Plan,
  personOf,
  plan,
  type Response,
  type StoredEvent,
} from "./events.ts";

const CALENDARS = 14;
const SINGLE_EVENTS = 130;
const DAY = 24 * 3_600_000;

export interface Calendar {
  id: string;
  name: string;
  color: "auto";
  hexColor: string;
  isDefaultCalendar: boolean;
  changeKey: string;
  canShare: boolean;
  canViewPrivateItems: boolean;
  canEdit: boolean;
  isTallyingResponses: boolean;
  isRemovable: boolean;
  owner: { name: string; address: string };
}

const calendar = (index: number): Calendar => ({
  id: outlookId(10 + index),
  name: ["Calendar", "Geburtstage & Grüße", "日本の祝日", "Empty"][index] ?? `Project ${index}`,
  color: "auto",
  hexColor: "",
  isDefaultCalendar: index === 0,
  changeKey: seeded(500 + index).hex(16),
  canShare: index === 0,
  canViewPrivateItems: true,
  canEdit: index !== 2,
  isTallyingResponses: index === 0,
  isRemovable: index !== 0,
  owner: personOf(user(0)).emailAddress,
});

const day = (first: string, after: number): string =>
  new Date(Date.parse(first) + after * DAY).toISOString().slice(0, 10);

const attendee = (index: number, response: Response): Event["attendees"][number] => ({
  ...personOf(user(index)),
  type: "required",
  status: { response, time: response === "none" ? NEVER : hour(index).toISOString() },
});

/** Instances of recurring events. They keep their local time when clocks change. */
function occurrences(): StoredEvent[] {
  const standUp = outlookId(20_000);
  const weekly = times(30, (index): Plan => {
    const date = day("2026-01-05", index * 7);
    const fields: Partial<Event> = {
      subject: "Weekly stand-up – Grüße",
      type: "occurrence",
      seriesMasterId: standUp,
      body: { contentType: "html", content: html("<p>Agenda:</p>\r\n<ul><li><b>Status</b></li><li>Plans</li></ul>") },
      location: { displayName: "Raum Köln" },
      attendees: [attendee(1, "accepted"), attendee(2, "declined"), attendee(13, "none"), attendee(4, "notResponded")],
    };
    const berlin = { zone: "Europe/Berlin", zoneName: "W. Europe Standard Time", minutes: 30 };
    // One instance was moved, another one cancelled by its organizer.
    if (index === 4)
      return { ...berlin, seed: 20_100 + index, at: `${date}T15:30:00`, fields: { ...fields, type: "exception" } };
    if (index === 6)
      return {
        ...berlin,
        seed: 20_100 + index,
        at: `${date}T09:00:00`,
        fields: { ...fields, type: "exception", isCancelled: true },
      };
    return { ...berlin, seed: 20_100 + index, at: `${date}T09:00:00`, fields };
  });
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

function single(index: number): StoredEvent {
  const [zone, zoneName] = ZONES[index % ZONES.length]!;
  const date = day("2026-01-01", index);
  const text = awkwardTexts[index % awkwardTexts.length]!;
  const planned = { seed: 30_000 + index, at: `${date}T14:00:00`, zone, ...(zoneName && { zoneName }), minutes: 45 };
  const invited = { isOrganizer: false, organizer: personOf(user(3)) };
  const fields = ((): Partial<Event> => {
    switch (index % 12) {
      case 0:
        return { subject: text, body: { contentType: "html", content: html(`<p>${escapeEntities(text)}</p>`) } };
      case 1:
        return { subject: "" };
      case 2:
        return { subject: null, body: { contentType: "text", content: "Plain *text*\r\nwith two lines" } };
      case 3:
        return { subject: "Holiday", isAllDay: true, showAs: "oof" };
      case 4:
        return {
          ...invited,
          subject: "Maybe",
          showAs: "tentative",
          responseStatus: { response: "tentativelyAccepted", time: hour(index).toISOString() },
        };
      case 5:
        return {
          ...invited,
          subject: "Canceled: Review",
          isCancelled: true,
          attendees: [attendee(0, "tentativelyAccepted")],
        };
      case 6:
        return {
          attendees: [
            {
              emailAddress: { name: "", address: "" },
              type: "required",
              status: { response: "organizer", time: NEVER },
            },
          ],
        };
      case 7:
        return {
          subject: "Private appointment",
          sensitivity: "private",
          location: { displayName: "https://example.com/meet" },
        };
      default:
        return {};
    }
  })();
  const at = fields.isAllDay ? `${date}T00:00:00` : planned.at;
  return plan({ ...planned, at, fields, ...(fields.isAllDay && { minutes: (1 + (index % 3)) * 24 * 60 }) });
}

/** Around the window that lists are tested with: 1 January to 1 July 2026, UTC. */
function borders(): StoredEvent[] {
  const utc = { zone: "UTC", minutes: 60 };
  return [
    { ...utc, seed: 40_000, at: "2025-12-31T23:30:00", fields: { subject: "Over midnight" } },
    { ...utc, seed: 40_001, at: "2025-12-20T00:00:00", minutes: 30 * 24 * 60, fields: { subject: "Long trip" } },
    { ...utc, seed: 40_002, at: "2026-01-01T00:00:00", fields: { subject: "First" } },
    { ...utc, seed: 40_003, at: "2026-01-01T00:00:00", minutes: 0, fields: { subject: "No duration" } },
    { ...utc, seed: 40_004, at: "2026-06-30T23:59:00", fields: { subject: "Last" } },
    { ...utc, seed: 40_005, at: "2026-07-01T00:00:00", fields: { subject: "Too late" } },
    {
      ...utc,
      seed: 40_006,
      at: "2026-07-01T00:00:00",
      minutes: 24 * 60,
      fields: { subject: "Day after", isAllDay: true },
    },
  ].map(plan);
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
      minutes: 24 * 60,
      fields: { subject: `Geburtstag ${index}`, isAllDay: true, showAs: "free", isReminderOn: false },
    }),
  );
  const main = [...borders(), ...occurrences(), ...times(SINGLE_EVENTS, single)];
  return {
    calendars,
    events: new Map(calendars.map(({ id }, index) => [id, index === 0 ? main : index === 1 ? birthdays : []])),
  };
}
