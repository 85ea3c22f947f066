import { type ConnectionHooks, graphql, type NoHooks, type Upstream } from "../../provider-kit/index.ts";
import { GET_ITEM_BOARD } from "./queries.ts";

/** Each event has a webhook of its own. https://developer.monday.com/api-reference/reference/webhooks */
const EVENTS = {
  board: [
    "create_item",
    "change_column_value",
    "change_name",
    "item_archived",
    "item_deleted",
    "item_restored",
    "create_subitem",
    "change_subitem_column_value",
    "change_subitem_name",
    "subitem_archived",
    "subitem_deleted",
  ],
  item: ["create_update", "edit_update", "delete_update", "create_subitem_update"],
};

const CREATE_WEBHOOK = `mutation CreateWebhook($board: ID!, $url: String!, $event: WebhookEventType!) {
  create_webhook(board_id: $board, url: $url, event: $event) { id }
}`;

const DELETE_WEBHOOK = "mutation DeleteWebhook($id: ID!) { delete_webhook(id: $id) { id } }";

interface ItemBoard {
  data: { item: { board: { id: string }; parent_item?: { board: { id: string } } | null }[] };
}

/** The board of an item; of a subitem, that of its parent, which has the events of its subitems. */
async function boardOf(item: string, upstream: Upstream): Promise<string> {
  const { body } = await upstream<ItemBoard>(graphql(GET_ITEM_BOARD, { item }));
  const { board, parent_item } = body.data.item[0]!;
  return (parent_item?.board ?? board).id;
}

async function removeAll(ids: readonly string[], upstream: Upstream): Promise<void> {
  for (const id of ids) await upstream(graphql(DELETE_WEBHOOK, { id }));
}

export const hooks: ConnectionHooks = {
  per: "connection",
  needs: "It needs the scope webhooks:write, and access to the board.",
  // https://developer.monday.com/apps/docs/advanced-concepts#verify-the-authenticity-of-requests-from-mondaycom
  secret: "hook_secret",
  signature: { kind: "jwt" },
  handshake: { in: "body", name: "challenge", answer: "json" },
  events: ({ body }) => [String(body?.event?.type)],
  lists: {
    "tasks.listTasks": {
      deletes: ["delete_pulse", "archive_pulse"],
      target: ({ project_id }) => project_id && `board:${project_id}`,
    },
    "tasks.listComments": { deletes: ["delete_update"], target: ({ task_id }) => task_id && `item:${task_id}` },
  },
  async create({ upstream, target, url }) {
    const [kind, id = ""] = target.split(":") as ["board" | "item", string?];
    const board = kind === "board" ? id : await boardOf(id, upstream);
    const ids: string[] = [];
    try {
      for (const event of EVENTS[kind]) {
        const { body } = await upstream<{ data: { create_webhook: { id: string } } }>(
          graphql(CREATE_WEBHOOK, { board, url, event }),
        );
        ids.push(body.data.create_webhook.id);
      }
    } catch (error) {
      await removeAll(ids, upstream);
      throw error;
    }
    return { remote: { ids: ids.join(" ") } };
  },
  remove: ({ upstream }, { ids = "" }) => removeAll(ids.split(" ").filter(Boolean), upstream),
};

/** https://developer.monday.com/api-reference/changelog/webhooks-improvements */
export const noHooks: NoHooks = {
  per: "none",
  because: "monday.com does not sign the webhooks that were made with a personal API token",
};
