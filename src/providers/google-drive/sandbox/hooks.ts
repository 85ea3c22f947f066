import { type EmulatedRoute, googleChannels, reply } from "../../../emulator-kit/index.ts";
import type { State } from "./data.ts";
import { invalid } from "./replies.ts";

const channels = googleChannels("change");
export const { hooks } = channels;

/** https://developers.google.com/workspace/drive/api/reference/rest/v3/changes */
export const hookRoutes: Record<string, EmulatedRoute<State>> = {
  "GET /drive/v3/changes/startPageToken": () => reply(200, { kind: "drive#startPageToken", startPageToken: "1001" }),
  "POST /drive/v3/changes/watch"(request, state) {
    if (!request.query.get("pageToken")) return invalid("pageToken", "Required parameter: pageToken");
    const resource = `/drive/v3/changes?${request.query}&alt=json`;
    return channels.watch(request, state, resource, (list) => list === "drive.listFiles");
  },
  "POST /drive/v3/channels/stop": channels.stop,
};
