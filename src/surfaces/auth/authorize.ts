import type { FastifyInstance, FastifyRequest } from "fastify";
import { splitUrl } from "../shared/split-url.ts";
import { readConnectFlow } from "./connect-flow.ts";
import { createConnectPage, MAX_FORM_BYTES } from "./connect-page.ts";
import type { AuthParts } from "./parts.ts";
import { publicAddress } from "./public-address.ts";

/** The page on which a user starts to connect an account, with everything in the query. */
export function authorizeRoutes(app: FastifyInstance, parts: AuthParts): void {
  const { store, engine, browserCookie } = parts;
  const page = createConnectPage(parts);
  async function readFlow(request: FastifyRequest) {
    const flow = await readConnectFlow(splitUrl(request.url)[1] ?? "", { store, engine });
    request.trace.workspaceId = flow.workspace.id;
    return flow;
  }

  app.get("/authorize", async (request, reply) => {
    const elsewhere = publicAddress(request, "/authorize", parts);
    if (elsewhere) return reply.redirect(elsewhere);
    const flow = await readFlow(request);
    return page.show(reply, flow, { browser: browserCookie.set(request, reply) });
  });

  app.post("/authorize", { bodyLimit: MAX_FORM_BYTES }, async (request, reply) =>
    page.submit(request, reply, await readFlow(request)),
  );
}
