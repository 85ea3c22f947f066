import { type ConnectionHooks, path, post, remove } from "../../provider-kit/index.ts";
import { TOP } from "./records.ts";

/** https://developer.box.com/guides/webhooks/triggers */
const GONE = ["TRASHED", "DELETED", "MOVED"].flatMap((name) => [`FILE.${name}`, `FOLDER.${name}`]);
const TRIGGERS = [
  ...GONE,
  "FILE.UPLOADED",
  ...["COPIED", "RESTORED", "RENAMED"].flatMap((name) => [`FILE.${name}`, `FOLDER.${name}`]),
  "FOLDER.CREATED",
  // Custom fields are metadata.
  ...["CREATED", "UPDATED", "DELETED"].map((name) => `METADATA_INSTANCE.${name}`),
];

/** https://developer.box.com/guides/webhooks/v2 */
export const hooks: ConnectionHooks = {
  per: "connection",
  needs:
    "The app needs Manage Webhooks under Application Scopes, and the integration the scope manage_webhook besides the default one. Box allows one hook per folder, app and user.",
  // The two signature keys of the app, so that each can be replaced.
  secret: "hook_secret",
  // https://developer.box.com/guides/webhooks/v2/signatures-v2
  signature: {
    kind: "hmac",
    headers: ["box-signature-primary", "box-signature-secondary"],
    algorithm: "sha256",
    encoding: "base64",
    signed: "{body}{timestamp}",
    timestamp: { in: { header: "box-delivery-timestamp" }, unit: "iso", windowSeconds: 600 },
  },
  events: ({ body }) => [body.trigger],
  lists: {
    // A hook on a folder is also for everything below it, but there can be none on the top.
    "drive.listFiles": {
      deletes: GONE,
      target: ({ folder_id = TOP }) => (folder_id === TOP ? undefined : folder_id),
    },
  },
  async create({ upstream, target, url }) {
    const { body } = await upstream<{ id: string }>(
      post("/webhooks", { target: { id: target, type: "folder" }, address: url, triggers: TRIGGERS }),
    );
    return { remote: { id: body.id } };
  },
  remove: ({ upstream }, { id = "" }) => upstream(remove(path`/webhooks/${id}`)),
};
