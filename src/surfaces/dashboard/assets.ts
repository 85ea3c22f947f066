import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import { ICON } from "../shared/icon.ts";
import { BASE } from "./base.ts";

const read = (name: string) => readFileSync(new URL(`./assets/${name}`, import.meta.url));
const asset = (type: string, content: Buffer) => ({ type, content, version: hash("sha256", content).slice(0, 12) });

const assets = new Map([
  ["style.css", asset("text/css; charset=utf-8", read("style.css"))],
  ["dashboard.js", asset("text/javascript; charset=utf-8", read("dashboard.js"))],
  ["icon.svg", asset(ICON.type, ICON.content)],
]);

/** The address of an asset, which changes with its content: browsers keep it as long as it does not. */
export const assetUrl = (name: string): string => `${BASE}/assets/${name}?v=${assets.get(name)!.version}`;

/** Everything that a browser loads besides the pages. There is nothing else, and nothing from another host. */
export function assetRoutes(app: FastifyInstance): void {
  for (const [name, { type, content }] of assets)
    app.get(`/assets/${name}`, { config: { access: "public" } }, (_, reply) =>
      reply.type(type).header("cache-control", "public, max-age=31536000, immutable").send(content),
    );
}
