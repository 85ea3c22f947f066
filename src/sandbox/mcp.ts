// MCP servers of emulated providers, on the official SDK: loaded with the first request to one.
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
  /** Answers a call of the provider's API, as the one whose request it came with. */
  answer(request: EmulatedRequest): EmulatedReply;
}

const MAX_SESSIONS = 1_000;

/** What a tool asks the provider's API for. Answers are read for their body: their links lead nowhere. */
function apiRequest(tool: EmulatedTool, args: Record<string, unknown>, authorization: string | undefined) {
  const { method = "GET", path, query = {}, body } = tool.request(args);
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value));
  return {
    method,
    path,
    params: {},
    query: given,
    headers: { authorization, ...(body ? { "content-type": "application/json" } : {}) },
    body,
    text: body ? JSON.stringify(body) : "",
    origin: "",
    account: undefined,
  };
}

const failed = ({ status, body }: EmulatedReply) =>
  status >= 300 || (body as { ok?: boolean } | undefined)?.ok === false;

/** A server with sessions, event streams for answers, and a stream of its own for what nobody asked for. */
export function createMcp({ name, tools, answer }: McpOptions) {
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
      const authorization = extra.requestInfo?.headers.authorization as string | undefined;
      const reply = answer(apiRequest(tool, params.arguments ?? {}, authorization));
      const { progressToken } = params._meta ?? {};
      if (progressToken !== undefined)
        await extra.sendNotification({
          method: "notifications/progress",
          params: { progressToken, progress: 1, total: 1 },
        });
      await server.sendLoggingMessage({ level: "info", logger: name, data: `${params.name} was called` });
      return { content: [{ type: "text", text: JSON.stringify(reply.body) }], isError: failed(reply) };
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
      const { method, body, text } = request;
      const answered = await transport.handleRequest(
        new Request(`${request.origin}${request.path}`, { method, headers }),
        {
          parsedBody: text === "" ? undefined : body,
        },
      );
      response.writeHead(answered.status, Object.fromEntries(answered.headers)).flushHeaders();
      if (!answered.body) return void response.end();
      // It ends early when the client goes away.
      await pipeline(Readable.fromWeb(answered.body as ReadableStream), response).catch(() => {});
    },
    async close(): Promise<void> {
      await Promise.all([...sessions.values()].map((transport) => transport.close()));
    },
  };
}

export type Mcp = ReturnType<typeof createMcp>;
