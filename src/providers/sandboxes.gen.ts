// Written by `npm run gen` from the folders beside this file. Do not edit.
import type { Emulator } from "../contracts/emulator.ts";

/** Loaded only if the sandbox is on. */
export const loadEmulators = async (): Promise<Record<string, Emulator>> => ({
  "asana": (await import("./asana/sandbox.ts")).default,
  "attio": (await import("./attio/sandbox.ts")).default,
  "bitbucket": (await import("./bitbucket/sandbox.ts")).default,
  "clickup": (await import("./clickup/sandbox.ts")).default,
  "discord": (await import("./discord/sandbox.ts")).default,
  "gitea": (await import("./gitea/sandbox.ts")).default,
  "github": (await import("./github/sandbox.ts")).default,
  "gitlab": (await import("./gitlab/sandbox.ts")).default,
  "google-chat": (await import("./google-chat/sandbox.ts")).default,
  "hubspot": (await import("./hubspot/sandbox.ts")).default,
  "jira": (await import("./jira/sandbox.ts")).default,
  "linear": (await import("./linear/sandbox.ts")).default,
  "mattermost": (await import("./mattermost/sandbox.ts")).default,
  "pipedrive": (await import("./pipedrive/sandbox.ts")).default,
  "salesforce": (await import("./salesforce/sandbox.ts")).default,
  "slack": (await import("./slack/sandbox.ts")).default,
  "teams": (await import("./teams/sandbox.ts")).default,
  "trello": (await import("./trello/sandbox.ts")).default,
  "zendesk": (await import("./zendesk/sandbox.ts")).default,
  "zoho": (await import("./zoho/sandbox.ts")).default,
});
