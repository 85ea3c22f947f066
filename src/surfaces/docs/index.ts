import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import Fastify, { type FastifyInstance } from "fastify";
import { html, toText } from "../../runtime/html.ts";
import { ICON } from "../shared/icon.ts";
import { serveDocument } from "../shared/openapi-document.ts";
import { guides } from "./guides.ts";
import { bar, HEADERS } from "./page.ts";

const SCRIPT_URL = "/docs/js/scalar.js";
const read = (name: string) => readFileSync(new URL(`./assets/${name}`, import.meta.url));
const assets = [
  ["/docs/start.js", "text/javascript", read("start.js")],
  ["/docs/style.css", "text/css", read("style.css")],
  ["/docs/guides.css", "text/css", read("guides.css")],
] as const;

export interface DocsOptions {
  /** Makes the OpenAPI document of the Unified API. */
  unifiedDocument: () => object;
  urls: { unified: string; platform: string; auth: string };
  /** Whether there is a dashboard to lead back to. */
  dashboard: boolean;
}

/** The API reference, the guides, and the OpenAPI document of the Unified API. Its 4 MB of code are loaded on first use. */
export async function docs(app: FastifyInstance, { unifiedDocument, urls, dashboard }: DocsOptions): Promise<void> {
  serveDocument(app, unifiedDocument, "/unified");

  // Where browsers look for the icon of a page that names none.
  app.get("/favicon.ico", (_, reply) =>
    reply.type(ICON.type).header("cache-control", "public, max-age=86400").send(ICON.content),
  );

  let script: Promise<Script> | undefined;
  app.get(SCRIPT_URL, async (request, reply) => {
    script ??= loadScript();
    const { plain, zipped, etag } = await script;
    reply.headers({ ...HEADERS, etag, vary: "accept-encoding", "cache-control": "public, max-age=3600" });
    if (request.headers["if-none-match"] === etag) return reply.code(304).send();
    reply.type("application/javascript; charset=utf-8");
    if (!/\bgzip\b/.test(request.headers["accept-encoding"] ?? "")) return reply.send(plain);
    return reply.header("content-encoding", "gzip").send(zipped);
  });
  for (const [url, type, content] of assets)
    app.get(url, (_, reply) =>
      reply
        .type(`${type}; charset=utf-8`)
        .headers({ ...HEADERS, "cache-control": "public, max-age=3600" })
        .send(content),
    );
  guides(app, { dashboard });
  const page = referencePage(dashboard);
  const pageHeaders = { ...HEADERS, "content-security-policy": contentSecurityPolicy(urls) };
  app.get("/docs", (_, reply) => reply.type("text/html; charset=utf-8").headers(pageHeaders).send(page));
}

/**
 * The page may call the APIs that it documents, and no other host: it works offline, and nobody else learns who reads it.
 * Only styles are inline: the reference sets them by itself, on elements as well.
 */
function contentSecurityPolicy({ unified, platform, auth }: DocsOptions["urls"]): string {
  const origins = new Set([unified, platform, auth].map((url) => new URL(url).origin));
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    `connect-src 'self' data: ${[...origins].join(" ")}`,
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; ");
}

const referencePage = (dashboard: boolean): string =>
  toText(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Plugboard API reference</title>
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
${bar("reference", dashboard)}
<div id="app"></div>
<script src="${SCRIPT_URL}"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`);

interface Script {
  plain: Buffer;
  zipped: Buffer;
  etag: string;
}

/** The page's script of 4 MB, compressed once. The package has it only as a route. */
async function loadScript(): Promise<Script> {
  const { default: scalar } = await import("@scalar/fastify-api-reference");
  const reference = Fastify();
  await reference.register(scalar, { routePrefix: "/docs", configuration: { sources: [] } });
  const { rawPayload: plain } = await reference.inject(SCRIPT_URL);
  await reference.close();
  return { plain, zipped: await promisify(gzip)(plain), etag: `"${hash("sha256", plain)}"` };
}
