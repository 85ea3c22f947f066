// Everything that needs the SDK, which is loaded with the first request to it: most services never get one.
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

export interface Exchange {
  /** The client's messages, parsed. */
  body: unknown;
  headers: Record<string, string | string[] | undefined>;
  /** Name of the provider that the tools lead to. */
  provider: string;
  tools: readonly Tool[];
  call(tool: Tool, args: Record<string, unknown>): Promise<CallToolResult>;
}

const instructions = (provider: string) =>
  `Tools over the user's ${provider} account. Records have the same form whatever the provider is. Lists come in pages: \
pass a page's \`metadata.next\` as \`after\` to go on. Values for arguments such as ids come from the tools that list them.`;

/** Answers one request by itself: no session is kept, so that any process can answer the next one. */
export async function answer({ body, headers, provider, tools, call }: Exchange): Promise<Response> {
  const server = new Server(
    { name: "plugboard", title: `${provider} by Plugboard`, version: "1.0.0" },
    { capabilities: { tools: {} }, instructions: instructions(provider) },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map(({ definition }) => definition as ToolDefinition),
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (tool) return call(tool, params.arguments ?? {});
    const known = tools.map(({ name }) => name).join(", ");
    throw new McpError(ErrorCode.InvalidParams, `Unknown tool ${params.name}; this connection has ${known}`);
  });

  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const passed = new Headers({
      // Answers are JSON whatever the client would take beside it.
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
