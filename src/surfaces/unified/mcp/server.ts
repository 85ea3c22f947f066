// Everything that needs the MCP SDK. It is loaded at the first MCP request, since most deployments never get one.
import {
  type CallToolResult,
  createMcpHandler,
  type InputRequiredResult,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type Tool as ToolDefinition,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";

interface McpMessages {
  /** The client's messages, parsed. */
  body: unknown;
  headers: Record<string, string | string[] | undefined>;
}

export interface ToolCall {
  name: string;
  args: Record<string, unknown>;
  meta: Record<string, unknown>;
}

export interface ToolSet {
  /** Shown to people. */
  title: string;
  /** Shown to the model. */
  instructions: string;
  /** The result of `tools/list`, always in the same order. */
  list(): object[];
  /** Undefined if there is no such tool. */
  call(call: ToolCall): Promise<CallToolResult | InputRequiredResult> | undefined;
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
  server.setRequestHandler("tools/call", ({ params }, { mcpReq }) => {
    const { name, arguments: args = {} } = params;
    const result = call({ name, args, meta: mcpReq._meta ?? {} });
    if (result) return result;
    const known = (list() as ToolDefinition[]).map((tool) => tool.name).join(", ");
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool ${name}; there are these: ${known}`);
  });
  return server;
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
