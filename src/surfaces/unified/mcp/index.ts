import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import { toLimitedTool } from "../../../categories/tools.ts";
import { includesScope, isBound } from "../../../contracts/access.ts";
import type { Caller } from "../../../contracts/caller.ts";
import { Fault, invalidInput } from "../../../contracts/fault.ts";
import type { BoundOperation } from "../../../contracts/operation.ts";
import type { Store } from "../../../contracts/store.ts";
import { allowsTool, type ToolLimits } from "../../../contracts/tool-packs.ts";
import type { Cancellation, ConnectionContext } from "../../../engine/index.ts";
import type { ForwardingCaller } from "../../shared/caller.ts";
import type { ConnectUrls } from "../../shared/connect-urls.ts";
import { forwardingLimit, type McpOptions, UNIFIED_MCP_ACCESS } from "../../shared/forwarding.ts";
import type { McpAddresses } from "../../shared/mcp-addresses.ts";
import { createRateLimitHeaders } from "../../shared/rate-limit-headers.ts";
import { clientCancellation } from "../../shared/relay.ts";
import { splitUrl } from "../../shared/split-url.ts";
import { messageCarrier, traceConnection, traceFailure } from "../../shared/trace.ts";
import { offerTools } from "./account-tools.ts";
import { findAccounts, UNUSABLE } from "./accounts.ts";
import { explain } from "./advice.ts";
import { createAuthentication } from "./authenticate.ts";
import { createConnectLinks } from "./connect-link.ts";
import { hideFields } from "./hide-fields.ts";
import { readNarrowing } from "./narrowing.ts";
import { createToolRunner, runOperation, toErrorResult } from "./run-tool.ts";
import type { ToolSet } from "./server.ts";
import { createAccountTools } from "./tool-set.ts";
import { createTools, defineTools, type Tool, worksWith } from "./tools.ts";

/** Also with a workspace, as which people sign in. */
const ROUTES = ["/v1/mcp", "/v1/mcp/w/:clientId"];
const MAX_BATCH = 100;

export interface UnifiedMcpOptions extends McpOptions {
  operations: readonly BoundOperation[];
  store: Pick<Store, "connections" | "integrations" | "change">;
  connectUrls: ConnectUrls;
  /** Where people can sign in. */
  addresses: McpAddresses;
}

const packsOf = ({ toolPack }: Caller) => (toolPack ? [toolPack] : []);

/** What limits the tools of a caller: their tool pack, and what a person allowed the client. */
const limitsOf = (caller: Caller): ToolLimits[] => [
  ...packsOf(caller),
  ...(caller.grant ? [{ categories: null, tools: null, access: caller.grant.access }] : []),
];

/** Whose accounts are used, if that is said. */
const externalIdOf = (request: FastifyRequest, user: Caller): string | undefined =>
  queryOf(request).get("external_id") ?? user.external_id ?? undefined;

/** Whether a new connection of this person would be one of the caller's. */
function mayAddTo({ external_id, connection_ids, grant }: Caller, externalId: string | undefined): boolean {
  if (grant) return grant.mayAddAccounts && external_id === externalId;
  return connection_ids === null && (external_id === null || external_id === externalId);
}

/** Whether a caller may call the provider's own API. That would lead around a tool pack. */
const mayCallApi = ({ scopes, toolPack, grant }: Caller): boolean =>
  !toolPack && (grant ? grant.callApi : includesScope(scopes, "proxy"));

/** What a person has to do about an account that cannot be connected here. */
const howToConnect = ({ grant }: Caller): string =>
  grant
    ? "the user has to connect it elsewhere, sign in to this client again and choose it"
    : "the user has to connect it first";

const queryOf = ({ raw }: FastifyRequest) => new URLSearchParams(splitUrl(raw.url!)[1]);

/**
 * Unified MCP: the unified operations as tools, of one connection or of all accounts of a person. It is mounted inside the Unified
 * API and uses its error format, except that errors of a tool call are reported to the model.
 */
export function unifiedMcp(app: FastifyInstance, options: UnifiedMcpOptions): void {
  const { engine, operations, store, connectUrls, headerPrefix } = options;
  const limit = forwardingLimit(options.rateLimit);
  const setRateLimit = createRateLimitHeaders(options.rateLimit);
  const connectionHeader = `${headerPrefix}Connection-ID`;
  const callers = new WeakMap<FastifyRequest, ForwardingCaller>();
  let created: Tool[] | undefined;
  const allTools = () => {
    created ??= createTools(operations, headerPrefix);
    return created;
  };

  const identify = createAuthentication(options);
  async function authenticate(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    callers.set(request, await identify(request, reply));
  }

  const run = createToolRunner(allTools);
  const links = createConnectLinks(store, connectUrls);

  /** A token is refreshed by the tool calls that need it, so that the model gets an error if that is not possible. */
  const authorize = (reply: FastifyReply, user: Caller, connectionId: string | undefined, points = 1) =>
    engine.authorize({
      user,
      connectionId,
      limit,
      points,
      tokenLater: true,
      onCounted: (counted) => setRateLimit(reply, counted),
    });

  /** The tools of one connection. */
  async function connectionTools(
    request: FastifyRequest,
    reply: FastifyReply,
    { user, connectionId }: ForwardingCaller,
    client: Cancellation,
  ): Promise<ToolSet> {
    const { body } = request;
    let connection: ConnectionContext;
    try {
      // Every message of a batch counts as a call.
      connection = await authorize(reply, user, connectionId, Array.isArray(body) ? Math.max(1, body.length) : 1);
    } catch (error) {
      if (!(error instanceof Fault) || !UNUSABLE.includes(error.kind) || !callsToolsOnly(body)) throw error;
      traceFailure(request.trace, error);
      request.trace.errorSource = "plugboard";
      const refused = toErrorResult(explain(error, { tools: allTools(), requestId: request.id }));
      return { title: "Plugboard", instructions: "", list: () => [], call: async () => refused };
    }
    traceConnection(request.trace, connection);
    const { name: provider } = connection.provider.manifest;
    const limits = [readNarrowing(queryOf(request), allTools()), ...limitsOf(user)];
    const userOf = ({ operation }: Tool) => ({ provider, requires: engine.requires(connection, operation) });
    const tools = hideFields(allTools(), packsOf(user)).filter(
      (tool) =>
        engine.supports(connection, tool.operation) &&
        allowsTool(limits, toLimitedTool(tool.operation)) &&
        worksWith(tool, userOf(tool)),
    );
    const context = { request, client, authorize: async () => connection };
    return {
      title: `${provider} by Plugboard`,
      instructions: instructions(provider),
      list: () => defineTools(tools.map((tool) => ({ tool, users: [userOf(tool)] }))),
      call({ name, args, meta }) {
        const tool = tools.find((one) => one.name === name);
        if (!tool) return undefined;
        const work = runOperation(engine, context, tool, {
          args,
          meta,
          connectionHeader: connectionHeader.toLowerCase(),
        });
        return run(context, tool.operation.id, work).then(({ result }) => result);
      },
    };
  }

  /** The tools of all accounts of a person. */
  async function personTools(
    request: FastifyRequest,
    reply: FastifyReply,
    user: Caller,
    client: Cancellation,
  ): Promise<ToolSet> {
    const query = queryOf(request);
    const externalId = externalIdOf(request, user);
    const narrowing = readNarrowing(query, allTools());
    const accounts = await findAccounts(engine, store, user, externalId);
    const limits = [narrowing, ...limitsOf(user)];
    return createAccountTools({
      engine,
      accounts,
      offered: offerTools(engine, hideFields(allTools(), packsOf(user)), accounts, limits),
      listsAll: narrowing.listsAll,
      direct: mayCallApi(user) ? { mayWrite: limits.every(({ access }) => access === "write") } : undefined,
      run,
      contextFor: ({ record }) => ({
        request,
        client,
        async authorize() {
          request.trace.connectionId = record.id;
          return authorize(reply, user, record.id);
        },
      }),
      link: links.allowed(user) ? (target) => links.create(user, target, request) : undefined,
      newAccountsOf: mayAddTo(user, externalId) ? externalId : undefined,
      howToConnect: howToConnect(user),
      headerPrefix,
    });
  }

  async function respond(request: FastifyRequest, reply: FastifyReply, caller: ForwardingCaller): Promise<Response> {
    const { body, headers } = request;
    const client = clientCancellation(reply);
    const { user } = caller;
    request.trace.span?.continueFrom(messageCarrier([body].flat()[0]));
    const person = externalIdOf(request, user) ?? (user.grant ? user.actor.name : null);
    request.trace.mcpUser = { client: user.grant?.clientName ?? clientName(body), person };
    const tools = caller.connectionId
      ? await connectionTools(request, reply, caller, client)
      : await personTools(request, reply, caller.user, client);
    const { handleMcpRequest } = await import("./server.ts");
    return handleMcpRequest(tools, { body, headers });
  }

  const messages: Omit<RouteOptions, "url"> = {
    method: "POST",
    config: { access: UNIFIED_MCP_ACCESS },
    onRequest: authenticate,
    async handler(request: FastifyRequest, reply: FastifyReply) {
      const caller = callers.get(request)!;
      if (!caller.connectionId && !isBound(caller.user) && !queryOf(request).has("external_id"))
        throw invalidInput({
          path: ["headers", connectionHeader],
          message: "is required, or `external_id` in the query",
        });
      if (Array.isArray(request.body) && request.body.length > MAX_BATCH)
        throw invalidInput({ path: ["body"], message: `must be at most ${MAX_BATCH} messages` });
      const responding = respond(request, reply, caller);
      request.trace.work = responding;
      const response = await responding;
      const type = response.headers.get("content-type");
      if (type) reply.type(type);
      return reply.code(response.status).send(response.body ? Buffer.from(await response.arrayBuffer()) : undefined);
    },
  };

  // Without sessions there is no event stream to open with GET, and no session to end with DELETE.
  const sessions: Omit<RouteOptions, "url"> = {
    method: ["GET", "DELETE"],
    exposeHeadRoute: false,
    config: { access: UNIFIED_MCP_ACCESS },
    onRequest: authenticate,
    handler: (_, reply) =>
      reply
        .code(405)
        .header("allow", "POST")
        .send({
          success: false,
          errors: [{ code: 7001, message: "Input Validation Error", detail: "only POST is supported" }],
        }),
  };

  for (const url of ROUTES) for (const route of [messages, sessions]) app.route({ ...route, url });
}

const instructions = (provider: string) =>
  `Tools for the user's ${provider} account. Records have the same format for every provider. Lists are paginated: \
to get the next page, pass \`metadata.next\` as \`after\`. Get ids for arguments from the tools that list them.`;

const MAX_NAME_LENGTH = 100;

/** The client's name: since 2026-07-28 in every message, before in the first one. */
function clientName(body: unknown): string | null {
  const { params } = ([body].flat()[0] ?? {}) as { params?: { clientInfo?: unknown; _meta?: Record<string, unknown> } };
  const info = params?._meta?.["io.modelcontextprotocol/clientInfo"] ?? params?.clientInfo;
  const { name } = (info ?? {}) as { name?: unknown };
  return typeof name === "string" ? name.slice(0, MAX_NAME_LENGTH) : null;
}

const callsToolsOnly = (body: unknown): boolean =>
  [body].flat().every((message) => (message as { method?: unknown } | null)?.method === "tools/call");
