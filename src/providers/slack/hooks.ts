import { type ApplicationHooks, get } from "../../provider-kit/index.ts";

/** https://docs.slack.dev/reference/events */
const CHANNELS = ["channel_created", "channel_rename", "channel_archive", "channel_unarchive", "channel_deleted"];
/** The same of private channels, which a bot sees when it has joined them. */
const GROUPS = [
  ...["group_rename", "group_archive", "group_unarchive", "group_deleted", "group_left"],
  "member_joined_channel",
];
const USERS = ["team_join", "user_change"];

/** Subtypes with which a message reports a new topic: https://docs.slack.dev/reference/events/message#subtypes */
const TOPICS = ["channel_topic", "channel_purpose", "group_topic", "group_purpose"].map((type) => `message.${type}`);

const inCode = (names: string[]) => names.map((name) => `\`${name}\``).join(", ");

/** https://docs.slack.dev/apis/events-api */
export const hooks: ApplicationHooks = {
  per: "application",
  secret: "hook_secret",
  steps: [
    "On the page of your app at [api.slack.com/apps](https://api.slack.com/apps), under **Basic Information**, copy the **Signing Secret**, and enter it as the signing secret of the integration (`hook_secret`).",
    "Under **Event Subscriptions**, turn on **Enable Events**, and enter the address as **Request URL**. Slack checks it immediately.",
    `Under **Subscribe to bot events**, add ${inCode(["message.channels", "message.groups", ...CHANNELS, ...GROUPS, ...USERS])}, and save. Of messages, a bot gets only those in channels that it is a member of.`,
  ],
  // https://docs.slack.dev/reference/events/url_verification
  handshake: { in: "body", name: "challenge", answer: "json", isSigned: true },
  // https://docs.slack.dev/authentication/verifying-requests-from-slack
  signature: {
    kind: "hmac",
    headers: ["x-slack-signature"],
    algorithm: "sha256",
    encoding: "hex",
    prefix: "v0=",
    signed: "v0:{timestamp}:{body}",
    timestamp: { in: { header: "x-slack-request-timestamp" }, unit: "seconds", windowSeconds: 300 },
  },
  events({ body }) {
    if (body.type !== "event_callback") return [];
    const { type, subtype } = body.event;
    return [subtype ? `${type}.${subtype}` : type];
  },
  lists: {
    "chat.listMessages": {
      events: ["message"],
      deletes: ["message.message_deleted"],
      target: ({ channel_id }) => channel_id,
    },
    "chat.listChannels": {
      events: [...CHANNELS, ...GROUPS, ...TOPICS],
      deletes: ["channel_deleted", "group_deleted", "group_left"],
    },
    "chat.listUsers": { events: USERS },
  },
  // What concerns channels and users concerns no target; a new topic is a message as well.
  targets: ({ body: { event } }) => (event.type === "message" ? [event.channel, ""] : undefined),
  async account({ upstream }) {
    return (await upstream<{ team_id: string }>(get("/auth.test"))).body.team_id;
  },
  // A channel that several workspaces share has one event for all of them.
  accounts: ({ body: { team_id, authorizations = [] } }) => [
    ...new Set<string>([team_id, ...authorizations.map((one: { team_id: string }) => one.team_id)]),
  ],
};
