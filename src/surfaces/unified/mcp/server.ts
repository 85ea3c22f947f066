// Everything that needs the MCP SDK. It is loaded at the first MCP request, since most deployments never get one.
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type Tool as ToolDefinition,
} from "@modelcontextprotocol/sdk/types.js";
import type { Tool } from "./tools.ts";

export interface McpMessages {
  /** The client's messages, parsed. */
  body: unknown;
  headers: Record<string, string | string[] | undefined>;
}

export interface McpRequest extends McpMessages {
  /** Name of the provider that the tools work on. */
  provider: string;
  tools: readonly Tool[];
  /** The tool's entry in the result of `tools/list`. */
  define(tool: Tool): Record<string, unknown>;
  callTool(tool: Tool, args: Record<string, unknown>, meta: Record<string, unknown>): Promise<CallToolResult>;
}

const instructions = (provider: string) =>
  `Tools for the user's ${provider} account. Records have the same format for every provider. Lists are paginated: \
to get the next page, pass \`metadata.next\` as \`after\`. Get ids for arguments from the tools that list them.`;

const INFO = { name: "plugboard", version: "1.0.0" };
const capabilities = { tools: {} };

/** Handles one request. No session is kept, so any process can handle the next one. */
export function handleMcpRequest({ provider, tools, define, callTool, ...messages }: McpRequest): Promise<Response> {
  const server = new Server(
    { ...INFO, title: `${provider} by Plugboard` },
    { capabilities, instructions: instructions(provider) },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map((tool) => define(tool) as ToolDefinition),
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (tool) return callTool(tool, params.arguments ?? {}, params._meta ?? {});
    const known = tools.map(({ name }) => name).join(", ");
    throw new McpError(ErrorCode.InvalidParams, `Unknown tool ${params.name}; tools of this connection: ${known}`);
  });
  return respond(server, messages);
}

/** Answers every tool call with the same result. */
export function refuseToolCalls(messages: McpMessages, result: CallToolResult): Promise<Response> {
  const server = new Server(INFO, { capabilities });
  server.setRequestHandler(CallToolRequestSchema, () => result);
  return respond(server, messages);
}

async function respond(server: Server, { body, headers }: McpMessages): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const passed = new Headers({
      // The transport requires both types, even though it only responds with JSON here.
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
    });
    const version = headers["mcp-protocol-version"];
    if (version !== undefined) passed.set("mcp-protocol-version", String(version));
    const request = new Request("http://plugboard/unified/v1/mcp", { method: "POST", headers: passed });
    return await transport.handleRequest(request, { parsedBody: body });
  } finally {
    await server.close();
  }
}
