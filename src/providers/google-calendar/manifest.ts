import {
  get,
  googleClientSteps,
  googleFailed,
  googleLogin,
  googleLoginAddresses,
  googleOpenId,
  googleOpenIdScopes,
  googleScope,
  type Manifest,
} from "../../provider-kit/index.ts";
import { hooks } from "./hooks.ts";

export default {
  id: "google-calendar",
  name: "Google Calendar",
  docs: "https://developers.google.com/workspace/calendar/api/v3/reference",
  notes: [
    "Deleted events and cancelled instances are listed with the status `cancelled` as long as Google keeps them. Leave them out with `showDeleted: false` in `params`.",
    "Of a cancelled instance Google may know only the time, and nothing but its start.",
    "Google sends an invitation to each attendee of a new event.",
    "Calendars that the user has hidden are not listed. List them with `showHidden: true` in `params`.",
    "Working locations, focus time and birthdays are events as well. Choose with `eventTypes` in `params`.",
  ],
  addresses: {
    api: "https://www.googleapis.com/calendar/v3",
    openid: googleOpenId,
    ...googleLoginAddresses,
    // https://developers.google.com/workspace/calendar/api/v3/reference/mcp
    mcp: "https://calendarmcp.googleapis.com/mcp/v1",
  },
  auth: {
    oauth2: {
      app: {
        url: "https://developers.google.com/workspace/calendar/api/auth",
        steps: ["In a Google Cloud project, enable the Google Calendar API.", ...googleClientSteps],
      },
      // https://developers.google.com/workspace/calendar/api/auth
      scopes: [...googleOpenIdScopes, googleScope("calendar.calendarlist.readonly"), googleScope("calendar.events")],
      ...googleLogin,
    },
  },
  check: get("/users/me/calendarList", {}, { maxResults: 1 }),
  failed: googleFailed,
  hooks,
} satisfies Manifest;
