import type { EmulatedRequest } from "../../contracts/emulator.ts";
import { emulate, reply } from "../../provider-kit/emulator.ts";
import { type Content, makeState, type State, time } from "./sandbox-data.ts";
import { mcp } from "./sandbox-mcp.ts";

const MESSAGES: Record<number, string> = {
  400: "Problems parsing JSON",
  401: "Bad credentials",
  403: "Resource not accessible by integration",
  404: "Not Found",
  422: "Validation Failed",
  429: "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.",
};

const failure = (status: number) =>
  reply(status, {
    message: MESSAGES[status] ?? "Server Error",
    documentation_url: "https://docs.github.com/rest",
    ...(status === 422
      ? { errors: [{ resource: "Search", field: "q", code: "invalid" }] }
      : { status: String(status) }),
  });

/** One page of a list by `page` and `per_page`, with the next page in the Link header. */
function paginate(request: EmulatedRequest, items: unknown[]) {
  const size = Math.min(Math.max(Number(request.query.get("per_page") ?? 30) || 30, 1), 100);
  const page = Math.max(Number(request.query.get("page") ?? 1) || 1, 1);
  const last = Math.max(1, Math.ceil(items.length / size));
  const link = (number: number, rel: string) => {
    const query = new URLSearchParams(request.query);
    query.set("page", String(number));
    return `<${request.origin}${request.path}?${query}>; rel="${rel}"`;
  };
  const links = [
    ...(page > 1 ? [link(page - 1, "prev"), link(1, "first")] : []),
    ...(page < last ? [link(page + 1, "next"), link(last, "last")] : []),
  ];
  return reply(200, items.slice((page - 1) * size, page * size), links.length ? { link: links.join(", ") } : {});
}

const byState = <Item extends { state: string }>(request: EmulatedRequest, items: Item[]) => {
  const state = request.query.get("state") ?? "open";
  return state === "all" ? items : items.filter((item) => item.state === state);
};

/** A route below a repository: 404 if the repository does not exist, an empty list if it has no content. */
const repositoryRoute =
  (pick: (content: Content, request: EmulatedRequest) => unknown[]) => (request: EmulatedRequest, state: State) => {
    const fullName = `${request.params.owner}/${request.params.repo}`;
    const repository = state.repositories.find(({ full_name }) => full_name === fullName);
    if (!repository) return failure(404);
    const content = state.content.get(fullName);
    return paginate(request, content ? pick(content, request) : []);
  };

export default emulate<State>({
  state: makeState,
  failure,
  headers: () => ({
    "x-github-media-type": "github.v3; format=json",
    "x-github-api-version-selected": "2022-11-28",
    "x-ratelimit-limit": "5000",
    "x-ratelimit-remaining": "4999",
    "x-ratelimit-used": "1",
    "x-ratelimit-reset": String(Math.floor(Date.now() / 1000) + 3600),
    "x-ratelimit-resource": "core",
  }),
  open: ["DELETE /applications/:client_id/token"],
  routes: {
    "GET /user": (_, state) =>
      reply(200, {
        ...state.me,
        user_view_type: "private",
        name: "Octo Sandbox",
        company: null,
        blog: "",
        location: null,
        email: null,
        hireable: null,
        bio: null,
        public_repos: state.repositories.length,
        public_gists: 0,
        followers: 0,
        following: 0,
        created_at: time(0),
        updated_at: time(1),
        private_gists: 0,
        total_private_repos: 0,
        owned_private_repos: 0,
        disk_usage: 0,
        collaborators: 0,
        two_factor_authentication: true,
      }),
    "GET /user/repos": (request, state) => paginate(request, state.repositories),
    "GET /repos/:owner/:repo": ({ params }, state) => {
      const found = state.repositories.find(({ full_name }) => full_name === `${params.owner}/${params.repo}`);
      return found ? reply(200, { ...found, network_count: 0, subscribers_count: 0 }) : failure(404);
    },
    "GET /repos/:owner/:repo/issues": repositoryRoute((content, request) => byState(request, content.issues)),
    "GET /repos/:owner/:repo/pulls": repositoryRoute((content, request) => byState(request, content.pulls)),
    "GET /repos/:owner/:repo/tags": repositoryRoute((content) => content.tags),
    "GET /repos/:owner/:repo/releases": repositoryRoute((content) => content.releases),
    "GET /repos/:owner/:repo/branches": repositoryRoute((content) => content.branches),
    "DELETE /applications/:client_id/token": ({ headers, body }, _, tokens) =>
      headers.authorization?.startsWith("Basic ") && tokens.revoke(String(body?.access_token))
        ? reply(204)
        : failure(404),
  },
  mcp,
  // The token endpoint refuses a request with status 200.
  // https://docs.github.com/en/apps/oauth-apps/maintaining-oauth-apps/troubleshooting-oauth-app-access-token-request-errors
  tokenFailure: (error, description) =>
    reply(200, {
      error: error === "invalid_grant" ? "bad_refresh_token" : error,
      error_description: description,
      error_uri: "https://docs.github.com/apps",
    }),
});
