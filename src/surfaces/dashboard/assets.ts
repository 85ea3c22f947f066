import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import { BASE } from "./base.ts";

const types: Record<string, string> = {
  "style.css": "text/css; charset=utf-8",
  "dashboard.js": "text/javascript; charset=utf-8",
  "icon.svg": "image/svg+xml",
};

const assets = new Map(
  Object.entries(types).map(([name, type]) => {
    const content = readFileSync(new URL(`./assets/${name}`, import.meta.url));
    return [name, { type, content, version: hash("sha256", content).slice(0, 12) }];
  }),
);

/** The address of an asset, which changes with its content: browsers keep it as long as it does not. */
export const assetUrl = (name: string): string => `${BASE}/assets/${name}?v=${assets.get(name)!.version}`;

/** Everything that a browser loads besides the pages. There is nothing else, and nothing from another host. */
export function assetRoutes(app: FastifyInstance): void {
  for (const [name, { type, content }] of assets)
    app.get(`/assets/${name}`, (_, reply) =>
      reply.type(type).header("cache-control", "public, max-age=31536000, immutable").send(content),
    );
}
