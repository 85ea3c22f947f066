import { type ApplicationHooks, get, type HookedList } from "../../provider-kit/index.ts";
import type { NotionBot } from "./identity.ts";

/** https://developers.notion.com/reference/webhooks-events-delivery */
const PAGES: HookedList = {
  // A page has the names of its status and labels from the schema.
  events: ["page", "data_source.schema_updated"],
  deletes: ["page.deleted", "page.moved", "data_source.schema_updated"],
};
const SOURCES: HookedList = {
  events: ["data_source", "database"],
  deletes: ["data_source.deleted", "data_source.moved", "data_source.schema_updated", "database.deleted"],
};

/** https://developers.notion.com/reference/webhooks */
export const hooks: ApplicationHooks = {
  per: "application",
  secret: "hook_secret",
  steps: [
    "On the page of your integration, under **Webhooks**, select **Create a subscription**, and enter the address as **Webhook URL**.",
    "Choose the latest API version and all events of pages, data sources, databases and comments, and select **Create subscription**. Notion sends a verification token to the address, which becomes the signing secret of the integration (`hook_secret`) if it has none yet.",
    "Select **Verify**, and paste that token: the integration's page in the dashboard shows it, and `GET /platform/v1/integrations/{id}/hook-secret` returns it.",
  ],
  // Nobody else can sign with it: https://developers.notion.com/reference/webhooks#step-2-verifying-the-subscription
  handshake: { in: "body", name: "verification_token", answer: "none", isSecret: true },
  signature: {
    kind: "hmac",
    headers: ["x-notion-signature"],
    algorithm: "sha256",
    encoding: "hex",
    prefix: "sha256=",
  },
  events: ({ body }) => [body.type],
  lists: {
    "tasks.listTasks": PAGES,
    "ticketing.listTickets": PAGES,
    "tasks.listProjects": SOURCES,
    "ticketing.listProjects": SOURCES,
    "tasks.listComments": { events: ["comment"], deletes: ["comment.deleted"] },
  },
  async account({ upstream }) {
    return (await upstream<NotionBot>(get("/users/me"))).body.bot?.workspace_id ?? "";
  },
  accounts: ({ body }) => [body.workspace_id],
};
