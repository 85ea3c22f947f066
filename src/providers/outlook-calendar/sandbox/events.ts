import { type EmulatedGraphUser, graphUser, hour, seeded } from "../../../emulator-kit/index.ts";
import { fromLocal } from "./time.ts";

const MINUTE = 60_000;
/** All-day events are stored at midnight of the mailbox's time zone, and shown at midnight of any. */
const MAILBOX_ZONE = "America/Los_Angeles";

interface Moment {
  dateTime: string;
  timeZone: "UTC";
}
interface Person {
  emailAddress: { name: string; address: string };
}
interface Status {
  response: "none" | "organizer" | "tentativelyAccepted" | "accepted" | "declined" | "notResponded";
  time: string;
}

export interface Event {
  id: string;
  createdDateTime: string;
  lastModifiedDateTime: string;
  transactionId: string | null;
  originalStartTimeZone: string;
  subject: string | null;
  isAllDay: boolean;
  isCancelled: boolean;
  seriesMasterId: string | null;
  showAs: "free" | "busy" | "tentative" | "oof";
  type: "singleInstance" | "occurrence" | "exception";
  webLink: string;
  body: { contentType: "html" | "text"; content: string };
  start: Moment;
  end: Moment;
  location: { displayName: string };
  attendees: (Person & { type: "required"; status: Status })[];
  organizer: Person;
}

/** An event with the times by which a view finds it. */
export interface StoredEvent {
  event: Event;
  starts: number;
  ends: number;
}

export const outlookId = (seed: number) => `AAMkAD${Buffer.from(seeded(seed).hex(30)).toString("base64url")}=`;

export const personOf = ({ displayName, userPrincipalName }: EmulatedGraphUser): Person => ({
  emailAddress: { name: displayName ?? "", address: userPrincipalName },
});

const NEVER = "0001-01-01T00:00:00Z";

export const attendee = (person: Person, response: Status["response"], time = NEVER): Event["attendees"][number] => ({
  ...person,
  type: "required",
  status: { response, time },
});

const momentOf = (time: number): Moment => ({
  dateTime: new Date(time).toISOString().replace("Z", "0000"),
  timeZone: "UTC",
});

export const htmlBody = (content: string): Event["body"] => ({
  contentType: "html",
  content: `<html><head>\r\n<meta http-equiv="Content-Type" content="text/html; charset=utf-8"><style>p {margin:0}</style></head>\r\n<body>\r\n${content}\r\n</body></html>`,
});

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
  const modified = hour((seed % 8_000) + (seed % 11) * 20).toISOString();
  const event: Event = {
    id,
    createdDateTime: hour(seed % 8_000).toISOString(),
    // With more digits than a millisecond has, as Exchange sends them.
    lastModifiedDateTime: modified.replace("Z", "4321Z"),
    transactionId: null,
    originalStartTimeZone: zoneName,
    subject: `Event ${seed}`,
    isAllDay: false,
    isCancelled: false,
    seriesMasterId: null,
    showAs: "busy",
    type: "singleInstance",
    webLink: `https://outlook.office365.com/owa/?itemid=${encodeURIComponent(id)}&exvsurl=1&path=/calendar/item`,
    body: { contentType: "html", content: "" },
    start: momentOf(shown),
    end: momentOf(shown + minutes * MINUTE),
    location: { displayName: "" },
    attendees: [],
    organizer: personOf(graphUser(0)),
    ...fields,
  };
  return { event, starts, ends: starts + minutes * MINUTE };
}
