// Whether a service under test answers what its OpenAPI documents declare: every status, and every header.
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface Answer {
  surface: string;
  method: string;
  path: string;
  status: number;
  headers: string[];
  isProviders: boolean;
}

const SURFACES = ["unified", "platform", "auth"];
const CHANNEL = "http.server.response.finish";

/** What HTTP itself has, and what files and pages have. */
const UNDECLARED_HEADERS =
  /^(date|connection|keep-alive|transfer-encoding|content-.+|cache-control|vary|etag|last-modified|accept-ranges|set-cookie|referrer-policy|x-frame-options|x-content-type-options)$/;

function toAnswer(request: IncomingMessage, response: ServerResponse): Answer | undefined {
  const [, surface = "", path = ""] = /^\/(\w+)(\/[^?]*)/.exec(request.url ?? "") ?? [];
  if (!SURFACES.includes(surface) || request.method === "HEAD") return undefined;
  // All that was sent, also what `writeHead` was given directly.
  const head = String((response as ServerResponse & { _header?: string })._header).split("\r\n");
  const sent = head.slice(1).map((line) => line.split(": ", 2) as [string, string?]);
  const headers = sent.map(([name]) => name.toLowerCase()).filter((name) => name && !UNDECLARED_HEADERS.test(name));
  const isProviders = sent.some(([name, value]) => /error-source$/i.test(name) && value === "provider");
  return { surface, method: request.method!, path, status: response.statusCode, headers: headers.sort(), isProviders };
}

type Document = { paths: Record<string, Record<string, { responses: Record<string, any> }>>; components: any };

class Declared {
  readonly #document: Document;
  readonly #templates: [template: string, pattern: RegExp][];

  constructor(document: Document) {
    this.#document = document;
    this.#templates = Object.keys(document.paths).map((template) => [
      template,
      new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}/?$`),
    ]);
  }

  /** What is wrong with an answer; undefined if it is declared, or if the document does not have its path. */
  problemOf({ method, path, status, headers, isProviders }: Answer): string | undefined {
    const [template] = this.#templates.find(([, pattern]) => pattern.test(path)) ?? [];
    const operation = template && this.#document.paths[template]![method.toLowerCase()];
    if (!operation) return undefined;
    const { responses } = operation;
    // An unknown `Expect` is refused by the HTTP server, whatever was asked for.
    if (status === 417) return undefined;
    const found = responses[status] ?? (isProviders ? responses.default : undefined);
    if (!found) return `${method} ${template}: ${status} is not declared`;
    const declared = found.$ref ? this.#document.components.responses[found.$ref.split("/").at(-1)] : found;
    const names = Object.keys(declared.headers ?? {}).map((name) => name.toLowerCase());
    const others = headers.filter((name) => !names.includes(name));
    return others.length > 0 ? `${method} ${template}: ${status} has no header ${others.join(", ")}` : undefined;
  }
}

/** Undefined if a test has stopped the service already. */
async function readDeclared(url: string, surface: string): Promise<Declared | undefined> {
  const response = await fetch(`${url}/${surface}/openapi.json`).catch(() => undefined);
  return response?.ok ? new Declared((await response.json()) as Document) : undefined;
}

/** The documents of services with the built-in operations, by the prefix of their headers and the surface. */
const builtIn = new Map<string, Declared>();

/** Watches the answers of the service at this address, until its `undeclared` is called. */
export function watchAnswers(url: string, { isBuiltIn, headerPrefix }: { isBuiltIn: boolean; headerPrefix: string }) {
  const port = Number(new URL(url).port);
  const answers = new Map<string, Answer>();
  const onFinish = (message: unknown) => {
    const { request, response, server } = message as {
      request: IncomingMessage;
      response: ServerResponse;
      server: Server;
    };
    if ((server.address() as AddressInfo | null)?.port !== port) return;
    const answer = toAnswer(request, response);
    if (answer) answers.set(JSON.stringify(answer), answer);
  };
  subscribe(CHANNEL, onFinish);
  return {
    async undeclared(): Promise<string[]> {
      unsubscribe(CHANNEL, onFinish);
      const problems = new Set<string>();
      for (const [surface, seen] of Map.groupBy(answers.values(), (answer) => answer.surface)) {
        const key = `${headerPrefix} ${surface}`;
        const declared = (isBuiltIn && builtIn.get(key)) || (await readDeclared(url, surface));
        if (!declared) continue;
        if (isBuiltIn) builtIn.set(key, declared);
        for (const answer of seen) problems.add(declared.problemOf(answer) ?? "");
      }
      problems.delete("");
      return [...problems];
    },
  };
}
