import {
  type ChangeKind,
  type EmulatedHooks,
  type EmulatedRequest,
  type EmulatedRoute,
  hookRegistry,
  newHash,
  reply,
} from "../../../emulator-kit/index.ts";
import type { Project } from "./data.ts";
import type { State } from "./state.ts";

const registry = hookRegistry();

const NOTHING = "0".repeat(40);
const ACTIONS = { create: "open", update: "update" };
const pushed = (object_kind: string, refs: string, event: string) => (kind: ChangeKind, id: string | number) => ({
  event,
  body: {
    object_kind,
    ref: `${refs}/${id}`,
    before: kind === "create" ? NOTHING : newHash(1),
    after: kind === "delete" ? NOTHING : newHash(2),
  },
});
const acted = (object_kind: string, event: string) => (kind: ChangeKind, id: string | number) =>
  kind === "delete" ? undefined : { event, body: { object_kind, object_attributes: { id, action: ACTIONS[kind] } } };

type Sent = { event: string; body: object } | undefined;

/** What GitLab sends for a change of a list: nothing for most that is deleted. */
const SENT: Record<string, (kind: ChangeKind, id: string | number) => Sent> = {
  "git.listIssues": acted("issue", "Issue Hook"),
  "git.listPullRequests": acted("merge_request", "Merge Request Hook"),
  "git.listIssueComments": acted("note", "Note Hook"),
  "git.listCommits": (kind) => pushed("push", "refs/heads", "Push Hook")(kind, "main"),
  "git.listBranches": pushed("push", "refs/heads", "Push Hook"),
  "git.listTags": pushed("tag_push", "refs/tags", "Tag Push Hook"),
  "git.listReleases": (action, id) => ({ event: "Release Hook", body: { object_kind: "release", action, id } }),
};

/** https://docs.gitlab.com/user/project/integrations/webhook_events/ */
export const hooks: EmulatedHooks<State> = {
  registered: registry.registered,
  request({ list, kind, id, parameters: { repo } }) {
    const sent = SENT[list]?.(kind, id);
    return (
      sent && {
        headers: { "x-gitlab-event": sent.event },
        body: { ...sent.body, project: { path_with_namespace: repo } },
      }
    );
  },
};

/** https://docs.gitlab.com/api/project_webhooks/ */
export const hookRoutes = (
  findProject: (request: EmulatedRequest, state: State) => Project,
): Record<string, EmulatedRoute<State>> => ({
  "POST /api/v4/projects/:id/hooks"(request, state) {
    const project = findProject(request, state);
    const { url, token = "", ...events } = request.body ?? {};
    if (typeof url !== "string") return reply(400, { error: "url is missing" });
    const id = registry.nextId();
    const covers = (list: string, { repo }: Readonly<Record<string, string>>) =>
      list in SENT && repo === project.path_with_namespace;
    registry.add(state, { id, url, secret: token, covers });
    return reply(201, {
      id: Number(id),
      url,
      project_id: project.id,
      created_at: new Date().toISOString(),
      push_events_branch_filter: "",
      enable_ssl_verification: true,
      alert_status: "executable",
      disabled_until: null,
      ...events,
    });
  },
  "DELETE /api/v4/projects/:id/hooks/:hook": (request, state) =>
    findProject(request, state) && registry.remove(state, request.params.hook!)
      ? reply(204)
      : reply(404, { message: "404 Not found" }),
});
