// Written by `npm run gen` from the folders beside this file. Do not edit.
import type { Evidence } from "../contracts/evidence.ts";

/** What each provider is verified against; used by the contract suite and the docs. */
export const loadEvidence = async (): Promise<Record<string, Evidence>> => ({
  "asana": (await import("./asana/evidence.ts")).default,
  "attio": (await import("./attio/evidence.ts")).default,
  "bitbucket": (await import("./bitbucket/evidence.ts")).default,
  "clickup": (await import("./clickup/evidence.ts")).default,
  "discord": (await import("./discord/evidence.ts")).default,
  "gitea": (await import("./gitea/evidence.ts")).default,
  "github": (await import("./github/evidence.ts")).default,
  "gitlab": (await import("./gitlab/evidence.ts")).default,
  "google-chat": (await import("./google-chat/evidence.ts")).default,
  "hubspot": (await import("./hubspot/evidence.ts")).default,
  "jira": (await import("./jira/evidence.ts")).default,
  "linear": (await import("./linear/evidence.ts")).default,
  "mattermost": (await import("./mattermost/evidence.ts")).default,
  "pipedrive": (await import("./pipedrive/evidence.ts")).default,
  "salesforce": (await import("./salesforce/evidence.ts")).default,
  "slack": (await import("./slack/evidence.ts")).default,
  "teams": (await import("./teams/evidence.ts")).default,
  "trello": (await import("./trello/evidence.ts")).default,
  "zendesk": (await import("./zendesk/evidence.ts")).default,
  "zoho": (await import("./zoho/evidence.ts")).default,
});
