// MCP servers of emulated providers, built on the official SDK. Loaded with the first request to one.
import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from "@modelcontextprotocol/sdk/types.js";
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

/** A server with sessions, event streams for responses, and a separate stream for notifications. */
export function createMcp({ name, tools, apiHeaders, answer }: McpOptions) {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();

  async function createSession(): Promise<WebStandardStreamableHTTPServerTransport> {
    const server = new Server({ name, version: "1.0.0" }, { capabilities: { tools: {}, logging: {} } });
    server.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: Object.entries(tools).map(([name, { description, input, optional = {} }]) => ({
        name,
        description,
        inputSchema: {
          type: "object" as const,
          properties: { ...input, ...optional },
          required: Object.keys(input),
        },
      })),
    }));
    server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra): Promise<CallToolResult> => {
      const tool = tools[params.name];
      if (!tool) throw new McpError(ErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
      const headers = { ...apiHeaders, ...forwarded(extra.requestInfo?.headers as Headers) };
      const reply = answer(apiRequest(tool, params.arguments ?? {}, headers));
      const { progressToken } = params._meta ?? {};
      if (progressToken !== undefined)
        await extra.sendNotification({
          method: "notifications/progress",
          params: { progressToken, progress: 1, total: 1 },
        });
      await server.sendLoggingMessage({ level: "info", logger: name, data: `${params.name} was called` });
      return { content: [{ type: "text", text: JSON.stringify(reply.body) }], isError: isFailure(reply) };
    });
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
    await server.connect(transport);
    return transport;
  }

  async function sessionOf({ headers }: EmulatedRequest) {
    const id = headers["mcp-session-id"];
    return id === undefined ? createSession() : sessions.get(id);
  }

  return {
    async serve(request: EmulatedRequest, response: ServerResponse): Promise<void> {
      const transport = await sessionOf(request);
      if (!transport) return void response.writeHead(404).end("Session not found");
      const headers = Object.entries(request.headers).filter((entry): entry is [string, string] => Boolean(entry[1]));
      const { method, body } = request;
      const result = await transport.handleRequest(
        new Request(`${request.origin}${request.path}`, { method, headers }),
        { parsedBody: body },
      );
      response.writeHead(result.status, Object.fromEntries(result.headers)).flushHeaders();
      if (!result.body) return void response.end();
      // Fails if the client disconnects early.
      await pipeline(Readable.fromWeb(result.body as ReadableStream), response).catch(() => {});
    },
    async close(): Promise<void> {
      await Promise.all([...sessions.values()].map((transport) => transport.close()));
    },
  };
}

export type Mcp = ReturnType<typeof createMcp>;
