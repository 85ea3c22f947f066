import Fastify, { type FastifyInstance } from "fastify";

export interface DocsOptions {
  /** The Unified API's description; made when it is first asked for. */
  unifiedDocument: () => object;
  urls: { unified: string; platform: string };
}

/**
 * The reference page and the Unified API's description. The page's own code is 4 MB of text: it is loaded when
 * somebody first looks at it.
 */
export async function docs(app: FastifyInstance, { unifiedDocument, urls }: DocsOptions): Promise<void> {
  let document: object | undefined;
  app.get("/unified/openapi.json", () => {
    document ??= unifiedDocument();
    return document;
  });

  const policy = policyFor(urls);
  let page: Promise<FastifyInstance> | undefined;
  for (const url of ["/docs", "/docs/*"])
    app.get(url, async (request, reply) => {
      page ??= loadPage();
      const inner = await page;
      // With a slash at the end, or the page would send the browser there.
      if (request.raw.url === "/docs") request.raw.url = "/docs/";
      reply.hijack();
      reply.raw.setHeader("x-request-id", request.id);
      // Nothing from anywhere else: the page works without the internet and tells nobody of its reader.
      reply.raw.setHeader("content-security-policy", policy);
      inner.routing(request.raw, reply.raw);
    });
  app.addHook("onClose", async () => {
    await (await page)?.close();
  });
}

/** The page may call the APIs that it describes, and no other host. */
const policyFor = (urls: DocsOptions["urls"]) =>
  [
    "default-src 'self'",
    "script-src 'self' 'unsafe-inline' 'unsafe-eval'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    `connect-src 'self' data: ${new URL(urls.unified).origin} ${new URL(urls.platform).origin}`,
    "frame-ancestors 'none'",
  ].join("; ");

async function loadPage(): Promise<FastifyInstance> {
  const { default: scalar } = await import("@scalar/fastify-api-reference");
  const page = Fastify({ routerOptions: { ignoreTrailingSlash: true } });
  await page.register(scalar, {
    routePrefix: "/docs",
    configuration: {
      pageTitle: "Plugboard API reference",
      cdn: "/docs/js/scalar.js",
      sources: [
        { title: "Unified API", slug: "unified", url: "/unified/openapi.json", default: true },
        { title: "Platform API", slug: "platform", url: "/platform/openapi.json" },
      ],
      // All that would call another host.
      withDefaultFonts: false,
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: "never",
      hideClientButton: true,
    },
  });
  await page.ready();
  return page;
}
