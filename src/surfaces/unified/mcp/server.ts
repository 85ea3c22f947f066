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

export interface McpRequest {
  /** The client's messages, parsed. */
  body: unknown;
  headers: Record<string, string | string[] | undefined>;
  /** Name of the provider that the tools work on. */
  provider: string;
  tools: readonly Tool[];
  callTool(tool: Tool, args: Record<string, unknown>): Promise<CallToolResult>;
}

const instructions = (provider: string) =>
  `Tools for the user's ${provider} account. Records have the same format for every provider. Lists are paginated: \
to get the next page, pass \`metadata.next\` as \`after\`. Get ids for arguments from the tools that list them.`;

/** Handles one request. No session is kept, so any process can handle the next one. */
export async function handleMcpRequest({ body, headers, provider, tools, callTool }: McpRequest): Promise<Response> {
  const server = new Server(
    { name: "plugboard", title: `${provider} by Plugboard`, version: "1.0.0" },
    { capabilities: { tools: {} }, instructions: instructions(provider) },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map(({ definition }) => definition as ToolDefinition),
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (tool) return callTool(tool, params.arguments ?? {});
    const known = tools.map(({ name }) => name).join(", ");
    throw new McpError(ErrorCode.InvalidParams, `Unknown tool ${params.name}; tools of this connection: ${known}`);
  });

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
