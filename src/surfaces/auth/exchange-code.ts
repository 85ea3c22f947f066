import type { FastifyInstance } from "fastify";
import type { Access } from "../../contracts/access.ts";
import { invalidInput, type Problem } from "../../contracts/fault.ts";
import { auditEntry } from "../shared/audit.ts";
import { authenticate, bearerToken } from "../shared/caller.ts";
import { hashCode } from "./finish.ts";
import type { AuthParts } from "./parts.ts";

/** Every invalid code gets the same response, so nothing leaks to someone guessing. */
const invalidCode = () =>
  invalidInput({
    path: ["code"],
    message: "Unknown, already used or expired, or issued for another workspace or redirect_uri",
  });

/** The user of a code is not known before it is redeemed, so the key must not be bound to one. */
export const CODE_ACCESS = { scope: "connections:write", wholeWorkspace: true } satisfies Access;

/** The application's server exchanges the code for a connection id. */
export function connectionRoute(app: FastifyInstance, { store, coordination, engine }: AuthParts): void {
  app.post("/connection", {
    config: { access: CODE_ACCESS },
    async onRequest(request) {
      await authenticate(engine, request, bearerToken(request.headers.authorization), CODE_ACCESS);
    },
    async handler(request) {
      const { code, redirectUri } = readBody(request.body);
      const { id: workspaceId } = request.caller.workspace;
      // Redeemed even if the rest is wrong: a stolen code allows only one guess.
      const connection = await store.change(
        workspaceId,
        ({ connectFlows }) =>
          connectFlows.redeem(hashCode(code), { workspace_id: workspaceId, redirect_uri: redirectUri }),
        ({ id }) => auditEntry(workspaceId, request.caller.actor, { action: "connection.connect", id }, request),
      );
      if (!connection) throw invalidCode();
      request.trace.connectionId = connection.id;
      // It may have new credentials from now on.
      await coordination.invalidate("connection", connection.id);
      const { id, external_id, integration_id } = connection;
      return { connection_id: id, external_id, integration_id };
    },
  });
}

function readBody(body: unknown): { code: string; redirectUri: string } {
  if (typeof body !== "object" || body === null || body instanceof URLSearchParams)
    throw invalidInput({ path: ["body"], message: "Must be a JSON object with code and redirect_uri" });
  const { code, redirect_uri } = body as Record<string, unknown>;
  const problems: Problem[] = [];
  if (typeof code !== "string" || code === "")
    problems.push({ path: ["code"], message: "Required: the code from the redirect" });
  if (typeof redirect_uri !== "string" || redirect_uri === "")
    problems.push({ path: ["redirect_uri"], message: "Required: the redirect_uri that was passed to /authorize" });
  if (problems.length > 0) throw invalidInput(...problems);
  return { code: code as string, redirectUri: redirect_uri as string };
}
