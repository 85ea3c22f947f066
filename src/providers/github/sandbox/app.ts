import {
  bearerToken,
  type EmulatedReply,
  type EmulatedRequest,
  type EmulatedRoute,
  jwtTimeProblem,
  readJwt,
  reply,
  times,
} from "../../../emulator-kit/index.ts";
import { time } from "./data.ts";
import type { State } from "./state.ts";

const ID = 4_242;
/** The user's own one is on the second page. */
const COUNT = 130;
const LIFETIME_S = 3_600;
const MAX_JWT_SECONDS = 600;

const accountOf = (id: string | number) => `installation ${id}`;
/** Whether a request is made with an installation's token, which has no user. */
export const isInstallation = ({ account }: EmulatedRequest): boolean => account?.startsWith("installation ") ?? false;

/** Parameters of the redirect after the app was installed. */
export const installationParameters = { installation_id: String(ID), setup_action: "install" };

const permissions = { metadata: "read", contents: "read", issues: "write", pull_requests: "read" };

const installations = ({ me }: State) =>
  times(COUNT, (index) => ({
    id: ID - COUNT + 1 + index,
    account: index === COUNT - 1 ? me : { ...me, login: `member-${index}`, id: 5_000 + index },
    repository_selection: "all",
    app_id: 77,
    app_slug: "acme-app",
    target_type: "User",
    permissions,
    events: [],
    created_at: time(0),
    updated_at: time(1),
    suspended_at: null,
  }));

/** Why the app's JWT is refused; undefined if it is not. */
function jwtProblem(request: EmulatedRequest): string | undefined {
  const jwt = readJwt(bearerToken(request) ?? "");
  if (jwt?.header.alg !== "RS256") return "A JSON web token could not be decoded";
  const { iss } = jwt.claims;
  if (typeof iss !== "string" || iss === "" || iss.includes("wrong")) return "Integration must generate a public key";
  return jwtTimeProblem(jwt, MAX_JWT_SECONDS);
}

/** The routes of a GitHub App. https://docs.github.com/en/rest/apps */
export const appRoutes = (
  failure: (status: number, message?: string) => EmulatedReply,
  page: (request: EmulatedRequest, all: unknown[]) => EmulatedReply,
): Record<string, EmulatedRoute<State>> => {
  const listed = (request: EmulatedRequest, all: unknown[], name: string, more: object = {}) => {
    const { body, ...rest } = page(request, all);
    return { ...rest, body: { total_count: all.length, ...more, [name]: body } };
  };
  return {
    "GET /user/installations": (request, state) =>
      isInstallation(request) ? failure(403) : listed(request, installations(state), "installations"),
    "GET /installation/repositories": (request, { repositories }) =>
      isInstallation(request)
        ? listed(request, repositories, "repositories", { repository_selection: "all" })
        : failure(
            403,
            "You must authenticate with an installation access token in order to list repositories for an installation.",
          ),
    "POST /app/installations/:installation_id/access_tokens": (request, state, tokens) => {
      const problem = jwtProblem(request);
      if (problem) return failure(401, problem);
      const { installation_id } = request.params;
      if (!installations(state).some(({ id }) => String(id) === installation_id)) return failure(404);
      const token = tokens.issue(accountOf(installation_id!), LIFETIME_S);
      const seconds = tokens.inspect(token)?.expires_in ?? LIFETIME_S;
      const expires_at = new Date(Date.now() + seconds * 1000).toISOString();
      return reply(201, { token, expires_at, permissions, repository_selection: "all" });
    },
    "DELETE /installation/token": (request, _, tokens) =>
      tokens.revoke(bearerToken(request) ?? "") ? reply(204) : failure(401),
  };
};

/** Those that take the app's JWT instead of a token. */
export const openAppRoutes = ["POST /app/installations/:installation_id/access_tokens"];
