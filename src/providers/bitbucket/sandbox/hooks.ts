import {
  type ChangeKind,
  type EmulatedHooks,
  type EmulatedReply,
  type EmulatedRequest,
  type EmulatedRoute,
  hookRegistry,
  reply,
  uuid,
} from "../../../emulator-kit/index.ts";
import type { State } from "./data.ts";

const registry = hookRegistry();

const pushed = (type: "branch" | "tag") => (kind: ChangeKind, name: string | number) => ({
  key: "repo:push",
  body: {
    push: {
      changes: [
        {
          old: kind === "create" ? null : { type, name },
          new: kind === "delete" ? null : { type, name },
          created: kind === "create",
          closed: kind === "delete",
        },
      ],
    },
  },
});

type Sent = { key: string; body: object };

/** What Bitbucket sends for a change of a list. A pull request is never deleted, only declined. */
const SENT: Record<string, (kind: ChangeKind, id: string | number) => Sent> = {
  "git.listPullRequests": (kind, id) => ({
    key: `pullrequest:${{ create: "created", update: "updated", delete: "rejected" }[kind]}`,
    body: { pullrequest: { type: "pullrequest", id } },
  }),
  "git.listCommits": () => pushed("branch")("update", "main"),
  "git.listBranches": pushed("branch"),
  "git.listTags": pushed("tag"),
};

/** https://support.atlassian.com/bitbucket-cloud/docs/event-payloads/ */
export const hooks: EmulatedHooks<State> = {
  registered: registry.registered,
  request({ list, kind, id, parameters: { repo } }) {
    const sent = SENT[list]?.(kind, id);
    return sent && { headers: { "x-event-key": sent.key }, body: { ...sent.body, repository: { full_name: repo } } };
  },
};

/** https://developer.atlassian.com/cloud/bitbucket/rest/api-group-webhooks/ */
export const hookRoutes = (
  find: (request: EmulatedRequest, state: State) => { full_name: string; uuid: string },
  failure: (status: number, message?: string) => EmulatedReply,
): Record<string, EmulatedRoute<State>> => ({
  "POST /2.0/repositories/:workspace/:slug/hooks"(request, state) {
    const repository = find(request, state);
    const { url, secret = "", description = "", active = true, events } = request.body ?? {};
    if (typeof url !== "string" || !Array.isArray(events) || events.length === 0) return failure(400);
    const id = `{${uuid(Number(registry.nextId()))}}`;
    registry.add(state, {
      id,
      url,
      secret,
      covers: (list, { repo }) => active && list in SENT && repo === repository.full_name,
    });
    return reply(201, {
      type: "webhook_subscription",
      uuid: id,
      url,
      description,
      subject_type: "repository",
      subject: { type: "repository", full_name: repository.full_name, uuid: repository.uuid },
      active,
      created_at: new Date().toISOString(),
      events,
      secret_set: secret !== "",
    });
  },
  "DELETE /2.0/repositories/:workspace/:slug/hooks/:uid": ({ params }, state) =>
    registry.remove(state, params.uid!) ? reply(204) : failure(404),
});
