import { type ConnectionHooks, get, googleChannels, watchGoogle } from "../../provider-kit/index.ts";
import { FIND_EVERYWHERE } from "./records.ts";

/** https://developers.google.com/workspace/drive/api/reference/rest/v3/changes/watch */
export const hooks: ConnectionHooks = {
  ...googleChannels,
  lists: { "drive.listFiles": { events: ["change"] } },
  async create(hook) {
    const { body } = await hook.upstream<{ startPageToken: string }>(get("/changes/startPageToken", FIND_EVERYWHERE));
    const query = { ...FIND_EVERYWHERE, includeItemsFromAllDrives: true, pageToken: body.startPageToken };
    return watchGoogle(hook, "/changes/watch", query);
  },
};
