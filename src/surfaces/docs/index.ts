import Fastify, { type FastifyInstance } from "fastify";

export interface DocsOptions {
  /** Makes the OpenAPI document of the Unified API. Called once, at the first request for it. */
  unifiedDocument: () => object;
  urls: { unified: string; platform: string };
}

/** The API reference and the OpenAPI document of the Unified API. Its 4 MB of code are loaded on first use. */
export async function docs(app: FastifyInstance, { unifiedDocument, urls }: DocsOptions): Promise<void> {
  let document: object | undefined;
  app.get("/unified/openapi.json", () => {
    document ??= unifiedDocument();
    return document;
  });

  const policy = contentSecurityPolicy(urls);
  let reference: Promise<FastifyInstance> | undefined;
  for (const url of ["/docs", "/docs/*"])
    app.get(url, async (request, reply) => {
      reference ??= loadReference();
      const inner = await reference;
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

/** The page may call the APIs that it documents, and no other host. */
const contentSecurityPolicy = (urls: DocsOptions["urls"]) =>
  [
    "default-src 'self'",
    "script-src 'self' 'unsafe-inline' 'unsafe-eval'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    `connect-src 'self' data: ${new URL(urls.unified).origin} ${new URL(urls.platform).origin}`,
    "frame-ancestors 'none'",
  ].join("; ");

async function loadReference(): Promise<FastifyInstance> {
  const { default: scalar } = await import("@scalar/fastify-api-reference");
  const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } });
  await app.register(scalar, {
    routePrefix: "/docs",
    configuration: {
      pageTitle: "Plugboard API reference",
      cdn: "/docs/js/scalar.js",
      sources: [
        { title: "Unified API", slug: "unified", url: "/unified/openapi.json", default: true },
        { title: "Platform API", slug: "platform", url: "/platform/openapi.json" },
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
