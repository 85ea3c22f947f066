// Everything that needs the MCP SDK. It is loaded at the first MCP request, since most deployments never get one.
import {
  CLIENT_CAPABILITIES_META_KEY,
  createMcpHandler,
  inputRequired,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  type Tool as ToolDefinition,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { ToolResult } from "./run-tool.ts";

interface McpMessages {
  /** The client's messages, parsed. */
  body: unknown;
  headers: Record<string, string | string[] | undefined>;
}

export interface ToolCall {
  name: string;
  args: Record<string, unknown>;
  meta: Record<string, unknown>;
  /** What the person did when an earlier attempt of this call asked them to connect an account. */
  answer?: "accept" | "decline" | "cancel" | undefined;
}

/** A result, or an address at which the person connects an account first. */
export type ToolReply = ToolResult | { connect: { url: string; message: string } };

export interface ToolSet {
  /** Shown to people. */
  title: string;
  /** Shown to the model. */
  instructions: string;
  /** The result of `tools/list`, always in the same order. */
  list(): object[];
  /** Undefined if there is no such tool. */
  call(call: ToolCall): Promise<ToolReply> | undefined;
}

/** For how long a client may keep the list of tools. */
const LIST_TTL_MS = 60_000;

function createServer({ title, instructions, list, call }: ToolSet): Server {
  const cacheHint = { ttlMs: LIST_TTL_MS, cacheScope: "private" } as const;
  const server = new Server(
    { name: "plugboard", version: "1.0.0", title },
    {
      capabilities: { tools: {} },
      instructions,
      cacheHints: { "tools/list": cacheHint, "server/discover": cacheHint },
    },
  );
  server.setRequestHandler("tools/list", () => ({ tools: list() as ToolDefinition[] }));
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
    const { name, arguments: args = {} } = params;
    const reply = await call({ name, args, meta: mcpReq._meta ?? {}, answer: connectAnswer(mcpReq) });
    if (reply) return "connect" in reply ? askToConnect(reply.connect, mcpReq) : reply;
    const known = (list() as ToolDefinition[]).map((tool) => tool.name).join(", ");
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool ${name}; there are these: ${known}`);
  });
  return server;
}

/** The name of our question in a request that is repeated with the answer. */
const QUESTION = "connect";

function connectAnswer({ inputResponses }: ServerContext["mcpReq"]): ToolCall["answer"] {
  const answer = inputResponses?.[QUESTION] as { action?: ToolCall["answer"] } | undefined;
  return answer?.action;
}

/** As a question of the protocol, after whose answer the client repeats the call; as text if the client has no such thing. */
function askToConnect({ url, message }: { url: string; message: string }, { envelope }: ServerContext["mcpReq"]) {
  const capabilities = (envelope as Record<string, unknown> | undefined)?.[CLIENT_CAPABILITIES_META_KEY];
  const { elicitation } = (capabilities ?? {}) as { elicitation?: { url?: object } };
  if (elicitation?.url)
    return inputRequired({ inputRequests: { [QUESTION]: inputRequired.elicitUrl({ message, url }) } });
  const text = `${message} The user has to open this link: ${url}\nCall again when they have done so.`;
  return { content: [{ type: "text" as const, text }], isError: true };
}

/** Handles one request of either era of the protocol. No session is kept, so any process can handle the next one. */
export async function handleMcpRequest(tools: ToolSet, { body, headers }: McpMessages): Promise<Response> {
  const passed = new Headers({
    // The SDK requires both types, even though it only responds with JSON here.
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
  });
  for (const [name, value] of Object.entries(headers)) if (name.startsWith("mcp-")) passed.set(name, String(value));
  const request = new Request("http://plugboard/unified/v1/mcp", { method: "POST", headers: passed });
  if (await isLegacyRequest(request, body)) return handleOlderRequest(createServer(tools), request, body);
  // Nothing ever changes that could be subscribed to.
  const handler = createMcpHandler(() => createServer(tools), { legacy: "reject", maxSubscriptions: 0 });
  return handler.fetch(request, { parsedBody: body });
}

/** A request of a protocol before 2026-07-28. The SDK's own way would respond with event streams. */
async function handleOlderRequest(server: Server, request: Request, parsedBody: unknown): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody });
  } finally {
    await server.close();
  }
}
