import { hash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import Fastify, { type FastifyInstance } from "fastify";
import { ICON } from "../shared/icon.ts";
import { serveDocument } from "../shared/openapi-document.ts";

const SCRIPT_URL = "/docs/js/scalar.js";

export interface DocsOptions {
  /** Makes the OpenAPI document of the Unified API. */
  unifiedDocument: () => object;
  urls: { unified: string; platform: string; auth: string };
}

/** The API reference and the OpenAPI document of the Unified API. Its 4 MB of code are loaded on first use. */
export async function docs(app: FastifyInstance, { unifiedDocument, urls }: DocsOptions): Promise<void> {
  serveDocument(app, unifiedDocument, "/unified");

  // Where browsers look for the icon of a page that names none.
  app.get("/favicon.ico", (_, reply) =>
    reply.type(ICON.type).header("cache-control", "public, max-age=86400").send(ICON.content),
  );

  const policy = contentSecurityPolicy(urls);
  let reference: Promise<FastifyInstance> | undefined;
  let script: Promise<Script> | undefined;
  const load = () => {
    reference ??= loadReference();
    return reference;
  };

  app.get(SCRIPT_URL, async (request, reply) => {
    script ??= load().then(loadScript);
    const { plain, zipped, etag } = await script;
    reply.headers({ etag, vary: "accept-encoding", "cache-control": "public, max-age=3600" });
    if (request.headers["if-none-match"] === etag) return reply.code(304).send();
    reply.type("application/javascript; charset=utf-8");
    if (!/\bgzip\b/.test(request.headers["accept-encoding"] ?? "")) return reply.send(plain);
    return reply.header("content-encoding", "gzip").send(zipped);
  });
  for (const url of ["/docs", "/docs/*"])
    app.get(url, async (request, reply) => {
      const inner = await load();
      // Without the trailing slash, Scalar would redirect the browser.
      if (request.raw.url === "/docs") request.raw.url = "/docs/";
      reply.hijack();
      reply.raw.setHeader("x-request-id", request.id);
      // No external resources: the page works offline, and no other host learns who reads it.
      reply.raw.setHeader("content-security-policy", policy);
      inner.routing(request.raw, reply.raw);
    });
  app.addHook("onClose", async () => {
    await (await reference)?.close();
  });
}

interface Script {
  plain: Buffer;
  zipped: Buffer;
  etag: string;
}

/** The page's script of 4 MB, compressed once. */
async function loadScript(reference: FastifyInstance): Promise<Script> {
  const { rawPayload: plain } = await reference.inject(SCRIPT_URL);
  return { plain, zipped: await promisify(gzip)(plain), etag: `"${hash("sha256", plain)}"` };
}

/** The page may call the APIs that it documents, and no other host. */
const contentSecurityPolicy = (urls: DocsOptions["urls"]) =>
  [
    "default-src 'self'",
    "script-src 'self' 'unsafe-inline' 'unsafe-eval'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    `connect-src 'self' data: ${[urls.unified, urls.platform, urls.auth].map((url) => new URL(url).origin).join(" ")}`,
    "frame-ancestors 'none'",
  ].join("; ");

async function loadReference(): Promise<FastifyInstance> {
  const { default: scalar } = await import("@scalar/fastify-api-reference");
  const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } });
  await app.register(scalar, {
    routePrefix: "/docs",
    configuration: {
      pageTitle: "Plugboard API reference",
      cdn: SCRIPT_URL,
      sources: [
        { title: "Unified API", slug: "unified", url: "/unified/openapi.json", default: true },
        { title: "Platform API", slug: "platform", url: "/platform/openapi.json" },
        { title: "Auth API", slug: "auth", url: "/auth/openapi.json" },
      ],
      // Features that would call another host.
      withDefaultFonts: false,
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: "never",
      hideClientButton: true,
    },
  });
  await app.ready();
  return app;
}
