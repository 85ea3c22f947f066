import {
  type ChangeKind,
  type EmulatedHooks,
  type EmulatedReply,
  type EmulatedRequest,
  type EmulatedRoute,
  hookRegistry,
  reply,
  toSecond,
} from "../../../emulator-kit/index.ts";
import type { State } from "./state.ts";

const registry = hookRegistry();

const CONVERSATION = { create: "opened", update: "edited", delete: "deleted" };
const REFERENCE = { create: "create", update: "push", delete: "delete" };

/** The event and its action, as Gitea sends them for a change of a list. */
const SENT: Record<string, (kind: ChangeKind) => [event: string, action?: string]> = {
  "git.listIssues": (kind) => ["issues", CONVERSATION[kind]],
  "git.listIssueComments": (kind) => ["issue_comment", { ...CONVERSATION, create: "created" }[kind]],
  "git.listPullRequests": (kind) => ["pull_request", CONVERSATION[kind]],
  "git.listCommits": () => ["push"],
  "git.listBranches": (kind) => [REFERENCE[kind]],
  "git.listTags": (kind) => [REFERENCE[kind]],
  "git.listReleases": (kind) => ["release", { create: "published", update: "updated", delete: "deleted" }[kind]],
};

/** https://docs.gitea.com/usage/repository/webhooks */
export const hooks: EmulatedHooks<State> = {
  registered: registry.registered,
  request({ list, kind, id, parameters: { repo } }) {
    const [event, action] = SENT[list]?.(kind) ?? [];
    return event === undefined
      ? undefined
      : {
          headers: { "x-gitea-event": event, "x-github-event": event },
          body: { ...(action && { action }), repository: { full_name: repo }, id },
        };
  },
};

/** https://docs.gitea.com/api/next/#tag/repository/operation/repoCreateHook */
export const hookRoutes = (
  find: (request: EmulatedRequest, state: State) => { full_name: string },
  failure: (status: number, message?: string) => EmulatedReply,
): Record<string, EmulatedRoute<State>> => ({
  "POST /api/v1/repos/:owner/:repo/hooks"(request, state) {
    const { full_name } = find(request, state);
    const { type, events = ["push"], active = false, config = {} } = request.body ?? {};
    if (type !== "gitea") return failure(422, `Invalid hook type: ${type}`);
    const { secret = "", ...shown } = config;
    for (const name of ["url", "content_type"])
      if (typeof config[name] !== "string") return failure(422, `Missing config option: ${name}`);
    const id = registry.nextId();
    registry.add(state, {
      id,
      url: config.url,
      secret,
      covers: (list, { repo }) => active && list in SENT && repo === full_name,
    });
    const time = toSecond(new Date());
    return reply(201, {
      id: Number(id),
      type,
      config: shown,
      events,
      active,
      branch_filter: "",
      authorization_header: "",
      created_at: time,
      updated_at: time,
    });
  },
  "DELETE /api/v1/repos/:owner/:repo/hooks/:id": ({ params }, state) =>
    registry.remove(state, params.id!) ? reply(204) : failure(404),
});
