import { Readable } from "node:stream";
import { invalidInput, ProviderFailure } from "../../../contracts/fault.ts";
import { type ConnectionContext, confine, type Engine } from "../../../engine/index.ts";
import { cleanTexts } from "./clean-text.ts";
import { readText } from "./read-text.ts";
import { type ToolCallContext, type ToolResult, toResult } from "./run-tool.ts";
import type { ToolCall } from "./server.ts";
import { META_KEY } from "./tools.ts";

export const CALL_API = "call_api";
const READS = ["GET", "HEAD"];
const WRITES = ["POST", "PUT", "PATCH", "DELETE"];

/** The entry of `call_api` in the result of `tools/list`. */
export const defineCallApi = (accounts: readonly string[], mayWrite: boolean) => ({
  name: CALL_API,
  title: "Call a provider's API",
  description:
    "Calls the provider's own API with the account's credentials, for what no other tool does. Use the other tools where they suffice.",
  inputSchema: {
    type: "object",
    properties: {
      account: { type: "string", enum: accounts, description: "Which account to use" },
      method: { type: "string", enum: mayWrite ? [...READS, ...WRITES] : READS, default: "GET" },
      path: {
        type: "string",
        description: "The provider's own path after the base address of its API, such as `/user/repos`",
      },
      query: { type: "object", additionalProperties: { type: "string" }, description: "Query parameters" },
      body: { description: "The request's body; sent as JSON" },
    },
    required: ["account", "path"],
    additionalProperties: false,
  },
  annotations: {
    readOnlyHint: !mayWrite,
    destructiveHint: mayWrite,
    openWorldHint: true,
  },
});

const fail = (name: string, message: string) => invalidInput({ path: ["arguments", name], message });

/** Its arguments have the types of the schema. */
export interface ApiCall {
  method?: string;
  path: string;
  query?: object;
  body?: unknown;
}

function readCall({ method = "GET", path, query = {}, body }: ApiCall, mayWrite: boolean) {
  const methods = mayWrite ? [...READS, ...WRITES] : READS;
  if (!methods.includes(method)) throw fail("method", `must be ${methods.join(", ")}`);
  if (!path.startsWith("/")) throw fail("path", "must be a text that starts with /");
  if (/[?#]/.test(path)) throw fail("path", "must not have a query or a fragment: use `query`");
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => {
      if (!["string", "number", "boolean"].includes(typeof value)) throw fail("query", `${name} must be a text`);
      return [name, String(value)];
    }),
  ).toString();
  const isRead = READS.includes(method);
  if (isRead && body !== undefined) throw fail("body", `is not sent with ${method}`);
  const sent = body === undefined ? undefined : JSON.stringify(body);
  return { method, path: confine(path), query: search || undefined, body: sent };
}

/** The work of `call_api`. */
export const callApi =
  (
    engine: Engine,
    { request, client }: ToolCallContext,
    args: ApiCall,
    { mayWrite, ownPrefix, meta }: { mayWrite: boolean; ownPrefix: string; meta: ToolCall["meta"] },
  ) =>
  async (connection: ConnectionContext): Promise<ToolResult> => {
    const { method, path, query, body } = readCall(args, mayWrite);
    const mayRepeat = READS.includes(method) && !connection.provider.manifest.getMayWrite;
    if (!mayRepeat && meta[META_KEY] !== undefined)
      throw invalidInput({
        path: ["_meta", META_KEY],
        message: `does not protect ${CALL_API}, whose requests are sent every time: call without it, or use another tool`,
      });
    const usable = await engine.withValidToken(connection);
    const target = usable.target(path);
    const response = await engine.forward({
      connection: usable,
      to: target.to,
      method,
      path: target.path,
      query,
      headers: {
        accept: "application/json",
        "accept-encoding": "identity",
        ...(body === undefined
          ? {}
          : { "content-type": "application/json", "content-length": `${Buffer.byteLength(body)}` }),
      },
      ownPrefix,
      body: body === undefined ? undefined : Readable.from([Buffer.from(body)]),
      maxRetries: 0,
      client,
      trace: request.trace,
    });
    const text = await readText(response, client);
    if (response.status >= 400) throw new ProviderFailure(response.status, response.headers, Buffer.from(text));
    return toResult(cleanTexts({ status: response.status, body: asJson(text) }));
  };

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
