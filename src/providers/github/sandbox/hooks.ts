import {
  type ChangeKind,
  type EmulatedHooks,
  type EmulatedReply,
  type EmulatedRoute,
  hookRegistry,
  refuse,
  reply,
} from "../../../emulator-kit/index.ts";
import { time } from "./data.ts";
import type { State } from "./state.ts";

const registry = hookRegistry<{ repo: string }>();

/** The event and its action, as GitHub sends them for a change of a list. */
const SENT: Record<string, (kind: ChangeKind) => [event: string, action?: string]> = {
  "git.listIssues": (kind) => ["issues", { create: "opened", update: "edited", delete: "deleted" }[kind]],
  "git.listIssueComments": (kind) => [
    "issue_comment",
    { create: "created", update: "edited", delete: "deleted" }[kind],
  ],
  "git.listPullRequests": (kind) => ["pull_request", { create: "opened", update: "edited", delete: "closed" }[kind]],
  "git.listCommits": () => ["push"],
  "git.listBranches": (kind) => [{ create: "create", update: "push", delete: "delete" }[kind]],
  "git.listTags": (kind) => [{ create: "create", update: "push", delete: "delete" }[kind]],
  "git.listReleases": (kind) => ["release", { create: "published", update: "edited", delete: "deleted" }[kind]],
};

/** https://docs.github.com/en/webhooks/webhook-events-and-payloads */
export const hooks: EmulatedHooks<State> = {
  registered: registry.registered,
  request({ list, kind, id, parameters: { repo } }) {
    const [event, action] = SENT[list]?.(kind) ?? [];
    if (!event) return undefined;
    return {
      headers: { "x-github-event": event, "user-agent": "GitHub-Hookshot/sandbox" },
      body: { ...(action && { action }), repository: { full_name: repo }, id },
    };
  },
};

export const hookRoutes = (failure: (status: number) => EmulatedReply): Record<string, EmulatedRoute<State>> => ({
  "POST /repos/:owner/:repo/hooks"({ params, body, origin }, state) {
    const repo = `${params.owner}/${params.repo}`;
    if (!state.content.has(repo)) refuse(failure(404));
    const { url, secret = "" } = body?.config ?? {};
    if (typeof url !== "string") refuse(failure(422));
    const id = registry.nextId();
    registry.add(state, {
      id,
      url,
      secret,
      repo,
      covers: (list, parameters) => list in SENT && parameters.repo === repo,
    });
    const own = `${origin}/repos/${repo}/hooks/${id}`;
    return reply(201, {
      type: "Repository",
      id: Number(id),
      name: "web",
      active: true,
      events: body.events,
      config: { content_type: "json", insecure_ssl: "0", url, secret: "********" },
      updated_at: time(1),
      created_at: time(1),
      url: own,
      test_url: `${own}/test`,
      ping_url: `${own}/pings`,
      deliveries_url: `${own}/deliveries`,
      last_response: { code: null, status: "unused", message: null },
    });
  },
  "DELETE /repos/:owner/:repo/hooks/:id": ({ params }, state) =>
    registry.remove(state, params.id!) ? reply(204) : failure(404),
});
