import type { FastifyInstance } from "fastify";
import { invalidInput, type Problem } from "../../contracts/fault.ts";
import { authenticate, bearer } from "../shared/caller.ts";
import { hashCode } from "./finish.ts";
import type { AuthParts } from "./parts.ts";

/** Every invalid code gets the same answer, so nothing leaks to someone guessing. */
const badCode = () =>
  invalidInput({
    path: ["code"],
    message: "Unknown, used or expired, or it belongs to another workspace or redirect_uri",
  });

/** The application's server turns the code into a connection id. */
export function connectionRoute(app: FastifyInstance, { store, engine }: AuthParts): void {
  app.post("/connection", {
    async onRequest(request) {
      await authenticate(engine, request, bearer(request.headers.authorization));
    },
    async handler(request) {
      const { code, redirectUri } = readBody(request.body);
      const { id: workspaceId } = request.workspace;
      // Deleted at the first attempt, valid or not: nobody gets to guess the rest.
      const known = await store.connectFlows.redeem(hashCode(code));
      if (known?.workspace_id !== workspaceId || known.redirect_uri !== redirectUri) throw badCode();
      const connection = await store.connections.get(workspaceId, known.connection_id);
      if (!connection) throw badCode();
      request.trace.connectionId = connection.id;
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
    problems.push({ path: ["code"], message: "Required: the code that came with the redirect" });
  if (typeof redirect_uri !== "string" || redirect_uri === "")
    problems.push({ path: ["redirect_uri"], message: "Required: the redirect_uri that /authorize was given" });
  if (problems.length > 0) throw invalidInput(...problems);
  return { code: code as string, redirectUri: redirect_uri as string };
}
