// The same call as code, to copy.
import { sdkCall } from "../../../categories/sdk-method.ts";
import { withQuery } from "../api.ts";
import { type OperationCall, operationPath } from "../unified-call.ts";

export interface SnippetOptions {
  /** Public addresses of the APIs. */
  urls: { unified: string; platform: string; proxy: string };
  headerPrefix: string;
}

const quoteForShell = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

export function curlCommand(call: OperationCall, { urls, headerPrefix }: SnippetOptions): string {
  const { method } = call.operation;
  const isFile = call.operation.kind === "upload";
  const lines = [
    `curl ${method === "GET" ? "" : `-X ${method} `}${quoteForShell(urls.unified + withQuery(operationPath(call), call.query))}`,
    `-H "Authorization: Bearer $API_KEY"`,
    `-H ${quoteForShell(`${headerPrefix}Connection-ID: ${call.connectionId}`)}`,
    ...(call.body ? [`-H 'Content-Type: application/json'`, `-d ${quoteForShell(JSON.stringify(call.body))}`] : []),
    ...(isFile ? [`-H 'Content-Type: application/octet-stream'`, "--data-binary @file"] : []),
    ...(call.operation.kind === "download" ? ["-o file"] : []),
  ];
  return lines.join(" \\\n  ");
}

/** An address for the SDK: one for all APIs if they are at the usual paths. */
function baseUrl({ unified, platform, proxy }: SnippetOptions["urls"]): string {
  const base = unified.replace(/\/unified$/, "");
  const isUsual = base !== unified && platform === `${base}/platform` && proxy === `${base}/proxy`;
  return JSON.stringify(isUsual ? base : { unified, platform, proxy });
}

export function sdkCode(call: OperationCall, { urls, headerPrefix }: SnippetOptions): string {
  const { operation, params, query, body, connectionId } = call;
  const prefix = headerPrefix === "SVC-" ? "" : `, headerPrefix: ${JSON.stringify(headerPrefix)}`;
  const input = { params, query: operation.kind === "list" ? listQuery(query) : query, ...(body ? { body } : {}) };
  return `import { Plugboard } from "plugboard-sdk";

const pb = new Plugboard({ apiKey: process.env.API_KEY, baseUrl: ${baseUrl(urls)}${prefix} });
const result = await ${sdkCall(operation, connectionId, input)};`;
}

/** The SDK takes numbers and objects where a query has text. */
function listQuery({ limit, params, ...others }: Record<string, string>): Record<string, unknown> {
  return {
    ...others,
    ...(limit === undefined ? {} : { limit: Number(limit) }),
    ...(params === undefined ? {} : { params: readObject(params) }),
  };
}

function readObject(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
