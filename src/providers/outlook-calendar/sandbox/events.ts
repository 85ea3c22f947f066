import { hour, seeded } from "../../../emulator-kit/data.ts";
import { type User, user } from "../../../emulator-kit/microsoft-graph.ts";
import { fromLocal } from "./time.ts";

const MINUTE = 60_000;
/** All-day events are stored at midnight of the mailbox's time zone, and shown at midnight of any. */
const MAILBOX_ZONE = "America/Los_Angeles";

export type Response = "none" | "organizer" | "tentativelyAccepted" | "accepted" | "declined" | "notResponded";

interface Moment {
  dateTime: string;
  timeZone: "UTC";
}
interface Person {
  emailAddress: { name: string; address: string };
}

export interface Event {
  id: string;
  createdDateTime: string;
  lastModifiedDateTime: string;
  changeKey: string;
  categories: string[];
  transactionId: string | null;
  originalStartTimeZone: string;
  originalEndTimeZone: string;
  iCalUId: string;
  reminderMinutesBeforeStart: number;
  isReminderOn: boolean;
  hasAttachments: boolean;
  subject: string | null;
  bodyPreview: string;
  importance: "normal";
  sensitivity: "normal" | "private";
  isAllDay: boolean;
  isCancelled: boolean;
  isOrganizer: boolean;
  responseRequested: boolean;
  seriesMasterId: string | null;
  showAs: "free" | "busy" | "tentative" | "oof";
  type: "singleInstance" | "occurrence" | "exception";
  webLink: string;
  isOnlineMeeting: boolean;
  allowNewTimeProposals: boolean;
  isDraft: boolean;
  hideAttendees: boolean;
  responseStatus: { response: Response; time: string };
  body: { contentType: "html" | "text"; content: string };
  start: Moment;
  end: Moment;
  location: { displayName: string; locationType?: "default" };
  attendees: (Person & { type: "required"; status: { response: Response; time: string } })[];
  organizer: Person;
}

/** An event with the times by which a view finds it. */
export interface StoredEvent {
  event: Event;
  starts: number;
  ends: number;
}

export const outlookId = (seed: number) => `AAMkAD${Buffer.from(seeded(seed).hex(30)).toString("base64url")}=`;

export const personOf = ({ displayName, userPrincipalName }: User): Person => ({
  emailAddress: { name: displayName ?? "", address: userPrincipalName },
});

const momentOf = (time: number): Moment => ({
  dateTime: new Date(time).toISOString().replace("Z", "0000"),
  timeZone: "UTC",
});

/** Never answered. */
export const NEVER = "0001-01-01T00:00:00Z";

export const html = (content: string) =>
  `<html><head>\r\n<meta http-equiv="Content-Type" content="text/html; charset=utf-8"><style>p {margin:0}</style></head>\r\n<body>\r\n${content}\r\n</body></html>`;

const emptyBody: Event["body"] = { contentType: "html", content: "" };

export interface Plan {
  seed: number;
  /** Local, `2026-03-29T09:00:00`. */
  at: string;
  zone: string;
  /** As Outlook names it, if not like `zone`. */
  zoneName?: string;
  minutes: number;
  fields?: Partial<Event>;
}

/** An event by its local time. */
export function plan({ seed, at, zone, zoneName = zone, minutes, fields = {} }: Plan): StoredEvent {
  const id = outlookId(seed);
  const starts = fromLocal(at, fields.isAllDay ? MAILBOX_ZONE : zone);
  const shown = fields.isAllDay ? Date.parse(`${at}Z`) : starts;
  const created = hour(seed % 8_000).toISOString();
  const event: Event = {
    id,
    createdDateTime: created,
    // With more digits than a millisecond has, as Exchange sends them.
    lastModifiedDateTime: hour((seed % 8_000) + (seed % 11) * 20)
      .toISOString()
      .replace("Z", "4321Z"),
    changeKey: seeded(seed).hex(16),
    categories: [],
    transactionId: null,
    originalStartTimeZone: zoneName,
    originalEndTimeZone: zoneName,
    iCalUId: seeded(seed).hex(40),
    reminderMinutesBeforeStart: 15,
    isReminderOn: true,
    hasAttachments: false,
    subject: `Event ${seed}`,
    bodyPreview: "",
    importance: "normal",
    sensitivity: "normal",
    isAllDay: false,
    isCancelled: false,
    isOrganizer: true,
    responseRequested: true,
    seriesMasterId: null,
    showAs: "busy",
    type: "singleInstance",
    webLink: `https://outlook.office365.com/owa/?itemid=${encodeURIComponent(id)}&exvsurl=1&path=/calendar/item`,
    isOnlineMeeting: false,
    allowNewTimeProposals: true,
    isDraft: false,
    hideAttendees: false,
    responseStatus: { response: "organizer", time: NEVER },
    body: emptyBody,
    start: momentOf(shown),
    end: momentOf(shown + minutes * MINUTE),
    location: { displayName: "", locationType: "default" },
    attendees: [],
    organizer: personOf(user(0)),
    ...fields,
  };
  return { event, starts, ends: starts + minutes * MINUTE };
}

interface NewEvent {
  subject?: string;
  body?: Event["body"];
  start: { dateTime: string; timeZone: string };
  location?: { displayName: string };
  attendees?: { emailAddress: { address: string; name?: string } }[];
  isAllDay?: boolean;
  transactionId?: string;
  zone: string;
  minutes: number;
}

/** An event that a client creates. */
export function newEvent(seed: number, given: NewEvent): StoredEvent {
  const { zone, minutes, start } = given;
  const now = new Date().toISOString();
  const fields: Partial<Event> = {
    subject: given.subject ?? "",
    createdDateTime: now,
    lastModifiedDateTime: now,
    isAllDay: given.isAllDay ?? false,
    transactionId: given.transactionId ?? null,
    ...(given.body && { body: { contentType: "html", content: html(given.body.content) } }),
    ...(given.location && { location: given.location }),
    attendees: (given.attendees ?? []).map(({ emailAddress: { address, name = address } }) => ({
      emailAddress: { address, name },
      type: "required",
      status: { response: "none", time: NEVER },
    })),
  };
  return plan({ seed, at: start.dateTime, zone, zoneName: start.timeZone, minutes, fields });
}
