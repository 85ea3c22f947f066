import type { FastifyRequest } from "fastify";
import type { Workspace } from "../../../contracts/entities.ts";
import type { McpSignIn } from "../../../contracts/mcp-grants.ts";
import { splitUrl } from "../../shared/split-url.ts";
import { ErrorPage } from "../errors.ts";
import type { AuthParts } from "../parts.ts";

const expired = () =>
  new ErrorPage(
    "This sign-in has expired",
    "It was completed already, or took longer than ten minutes. Please start again in the program that you want to use.",
  );

const elsewhere = () =>
  new ErrorPage(
    "This cannot be completed here",
    "It was started in another browser. Nothing was allowed. If you did not start it yourself, close this page.",
    { status: 403 },
  );

/** Reads the sign-in that a page is about. Only the browser that began it may see it. */
export function createVisits({ store, browserCookie }: Pick<AuthParts, "store" | "browserCookie">) {
  return async function visit<Found extends McpSignIn>(
    request: FastifyRequest,
    read: (token: string) => Promise<Found | undefined>,
  ): Promise<{ signIn: Found; workspace: Workspace }> {
    const query = new URLSearchParams(splitUrl(request.url)[1]);
    const signIn = await read(query.getAll("request").join(" "));
    const workspace = signIn && (await store.workspaces.get(signIn.workspace_id));
    if (!workspace) throw expired();
    request.trace.workspaceId = workspace.id;
    if (signIn.browser !== browserCookie.read(request)) throw elsewhere();
    return { signIn, workspace };
  };
}
