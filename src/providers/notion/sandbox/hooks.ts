import { type ChangeKind, type EmulatedHooks, uuid } from "../../../emulator-kit/index.ts";
import { BOT, people, type State, workspace } from "./data.ts";

/** https://developers.notion.com/reference/webhooks-events-delivery */
const PAGE: Record<ChangeKind, string> = { create: "created", update: "properties_updated", delete: "deleted" };
const SOURCE: Record<ChangeKind, string> = { create: "created", update: "schema_updated", delete: "deleted" };
const COMMENT: Record<ChangeKind, string> = { create: "created", update: "updated", delete: "deleted" };

const SENT: Record<string, [entity: string, events: Record<ChangeKind, string>]> = {
  "tasks.listTasks": ["page", PAGE],
  "ticketing.listTickets": ["page", PAGE],
  "tasks.listProjects": ["data_source", SOURCE],
  "ticketing.listProjects": ["data_source", SOURCE],
  "tasks.listComments": ["comment", COMMENT],
};

export const hooks: EmulatedHooks<State> = {
  request({ list, kind, id, now }) {
    const [entity, events] = SENT[list] ?? [];
    if (!entity) return undefined;
    return {
      body: {
        id: uuid(now.getTime()),
        timestamp: now.toISOString(),
        workspace_id: workspace.id,
        workspace_name: workspace.name,
        subscription_id: uuid(71),
        integration_id: uuid(72),
        authors: [{ id: people[0]!.id, type: "person" }],
        accessible_by: [{ id: BOT, type: "bot" }],
        attempt_number: 1,
        api_version: "2026-03-11",
        entity: { id, type: entity },
        type: `${entity}.${events![kind]}`,
        data: {},
      },
    };
  },
  challenge: (secret) => ({ body: { verification_token: secret } }),
};
