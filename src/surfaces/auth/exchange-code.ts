import type { FastifyInstance } from "fastify";
import { invalidInput, type Problem } from "../../contracts/fault.ts";
import { bearer } from "../shared/bearer.ts";
import { hashCode } from "./finish.ts";
import type { AuthParts } from "./index.ts";

/** A code that is not good is one answer, whatever the reason: nothing is told to who guesses. */
const badCode = () =>
  invalidInput({
    path: ["code"],
    message: "Is not known, was used, has expired, or belongs to another workspace or redirect_uri",
  });

/** The application's server turns the code into a connection id. */
export function connectionRoute(app: FastifyInstance, { store, engine }: AuthParts): void {
  app.post("/connection", {
    async onRequest(request) {
      const workspace = await engine.authenticate(bearer(request.headers.authorization));
      request.trace.workspaceId = workspace.id;
    },
    async handler(request) {
      const { code, redirectUri } = readBody(request.body);
      const workspaceId = request.trace.workspaceId!;
      // Gone at the first try, good or bad: nobody gets to guess what belongs to it.
      const known = await store.connect.redeem(hashCode(code));
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
