import { get, graphAddresses, graphOAuth, type Manifest } from "../../provider-kit/index.ts";
import { hooks } from "./hooks.ts";

export default {
  id: "outlook-calendar",
  name: "Outlook Calendar",
  docs: "https://learn.microsoft.com/en-us/graph/api/resources/calendar-overview",
  notes: [
    "Accounts of organizations and personal accounts can connect.",
    "The id of an event changes when it is moved to another calendar.",
    "An event is tentative if Outlook shows its time as tentative. An invitation that was cancelled by its organizer is listed as cancelled until the user removes it.",
    "Outlook names time zones as Windows does: `time_zone` is the main IANA zone of that name. Calendars have none.",
    "Outlook sends an invitation to each attendee of an event that is created. The `Idempotency-Key` of the request becomes its `transactionId`, by which Outlook recognizes a repeated request.",
    "Instant events cover the events of all calendars: the list of calendars is read at its interval.",
  ],
  addresses: graphAddresses("common"),
  auth: { oauth2: graphOAuth({ accounts: "common", scopes: ["User.Read", "Calendars.ReadWrite"] }) },
  check: get("/me/calendar"),
  hooks,
} satisfies Manifest;
