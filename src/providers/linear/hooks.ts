import { type ConnectionHooks, graphql, hookedTaskLists } from "../../provider-kit/index.ts";

const CREATE_WEBHOOK = `mutation CreateWebhook($input: WebhookCreateInput!) {
  webhookCreate(input: $input) { success webhook { id } }
}`;

const DELETE_WEBHOOK = `mutation DeleteWebhook($id: String!) {
  webhookDelete(id: $id) { success }
}`;

/** https://linear.app/developers/webhooks */
export const hooks: ConnectionHooks = {
  per: "connection",
  needs: "Its user has to be an admin of the workspace, with the scope admin.",
  secret: "hook",
  // https://linear.app/developers/webhooks#securing-webhooks
  signature: {
    kind: "hmac",
    headers: ["linear-signature"],
    algorithm: "sha256",
    encoding: "hex",
    timestamp: { in: { pointer: "/webhookTimestamp" }, unit: "milliseconds", windowSeconds: 60 },
  },
  // What is archived is not in our lists either.
  events: ({ body }) => [`${body?.type}.${body?.data?.archivedAt ? "remove" : body?.action}`],
  lists: hookedTaskLists({
    tasks: { events: ["Issue"], deletes: ["Issue.remove"] },
    projects: { events: ["Project"], deletes: ["Project.remove"] },
    comments: { events: ["Comment"], deletes: ["Comment.remove"] },
  }),
  async create({ upstream, url, secret }) {
    const input = {
      url,
      secret,
      label: "Plugboard",
      allPublicTeams: true,
      resourceTypes: ["Issue", "Comment", "Project"],
    };
    const { body } = await upstream<{ data: { webhookCreate: { webhook: { id: string } } } }>(
      graphql(CREATE_WEBHOOK, { input }),
    );
    return { remote: { id: body.data.webhookCreate.webhook.id } };
  },
  remove: ({ upstream }, { id }) => upstream(graphql(DELETE_WEBHOOK, { id })),
};
