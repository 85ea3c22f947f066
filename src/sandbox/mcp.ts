// MCP servers of emulated providers, built on the official SDK. Loaded with the first request to one.
import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import {
  type CallToolResult,
  createMcpHandler,
  isLegacyRequest,
  type JSONObject,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { EmulatedReply, EmulatedRequest, EmulatedTool } from "../contracts/emulator.ts";

interface McpOptions {
  name: string;
  tools: Record<string, EmulatedTool>;
  /** Headers that the API needs, names in lower case. */
  apiHeaders: Record<string, string>;
  /** Answers a call to the provider's API with the credentials of the MCP request. */
  answer(request: EmulatedRequest): EmulatedReply;
}

const MAX_SESSIONS = 1_000;

type Headers = Record<string, string | undefined>;

/** The headers of an MCP request that its API calls have too: credentials are not always in `Authorization`. */
const forwarded = ({ "content-type": _, "content-length": __, ...headers }: Headers): Headers => headers;

/** The API call that a tool makes. Only the reply's body is used, so its links need no valid origin. */
function apiRequest(tool: EmulatedTool, args: Record<string, unknown>, headers: Headers) {
  const { method = "GET", path, query = {}, body } = tool.request(args);
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return {
    method,
    path,
    params: {},
    query: search,
    headers: { ...headers, ...(body ? { "content-type": "application/json" } : {}) },
    body,
    bytes: Buffer.from(body ? JSON.stringify(body) : ""),
    origin: "",
    account: undefined,
  };
}

const isFailure = ({ status, body }: EmulatedReply) =>
  status >= 300 || (body as { ok?: boolean } | undefined)?.ok === false;

/**
 * For clients before the protocol of 2026-07-28 a server with sessions, event streams for responses, and a separate stream
 * for notifications; for later ones a server without sessions.
 */
export function createMcp({ name, tools, apiHeaders, answer }: McpOptions) {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();

  function createServer({ era }: { era: "legacy" | "modern" }): Server {
    const server = new Server({ name, version: "1.0.0" }, { capabilities: { tools: {}, logging: {} } });
    server.setRequestHandler("tools/list", () => ({
      tools: Object.entries(tools).map(([name, { description, input, optional = {} }]) => ({
        name,
        description,
        inputSchema: {
          type: "object" as const,
          properties: { ...input, ...optional } as Record<string, JSONObject>,
          required: Object.keys(input),
        },
      })),
    }));
    server.setRequestHandler("tools/call", async ({ params }, { mcpReq, http }): Promise<CallToolResult> => {
      const tool = tools[params.name];
      if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
      const headers = { ...apiHeaders, ...forwarded(Object.fromEntries(http!.req!.headers)) };
      const reply = answer(apiRequest(tool, params.arguments ?? {}, headers));
      const { progressToken } = mcpReq._meta ?? {};
      if (progressToken !== undefined)
        await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress: 1, total: 1 } });
      if (era === "legacy")
        await server.sendLoggingMessage({ level: "info", logger: name, data: `${params.name} was called` });
      return { content: [{ type: "text", text: JSON.stringify(reply.body) }], isError: isFailure(reply) };
    });
    return server;
  }
  const withoutSessions = createMcpHandler(createServer, { legacy: "reject" });

  async function createSession(): Promise<WebStandardStreamableHTTPServerTransport> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized(id) {
        sessions.set(id, transport);
        const [oldest] = sessions.keys();
        if (sessions.size > MAX_SESSIONS) void sessions.get(oldest!)!.close();
      },
    });
    transport.onclose = () => {
      if (transport.sessionId) sessions.delete(transport.sessionId);
    };
    await createServer({ era: "legacy" }).connect(transport);
    return transport;
  }

  async function handle(request: Request, parsedBody: unknown): Promise<Response> {
    if (!(await isLegacyRequest(request, parsedBody))) return withoutSessions.fetch(request, { parsedBody });
    const id = request.headers.get("mcp-session-id");
    const transport = id === null ? await createSession() : sessions.get(id);
    return transport?.handleRequest(request, { parsedBody }) ?? new Response("Session not found", { status: 404 });
  }

  return {
    async serve(request: EmulatedRequest, response: ServerResponse): Promise<void> {
      const headers = Object.entries(request.headers).filter((entry): entry is [string, string] => Boolean(entry[1]));
      const { method, body } = request;
      const result = await handle(new Request(`${request.origin}${request.path}`, { method, headers }), body);
      response.writeHead(result.status, Object.fromEntries(result.headers)).flushHeaders();
      if (!result.body) return void response.end();
      // Fails if the client disconnects early.
      await pipeline(Readable.fromWeb(result.body as ReadableStream), response).catch(() => {});
    },
    async close(): Promise<void> {
      await Promise.all([withoutSessions.close(), ...[...sessions.values()].map((transport) => transport.close())]);
    },
  };
}

export type Mcp = ReturnType<typeof createMcp>;
