// The servers to call, and the request for each.
import { newApiKey, newId } from "../src/runtime/ids.ts";
import type { Size } from "./bodies.ts";
import type { Instance } from "./compare.ts";
import type { Running } from "./processes.ts";
import type { Account } from "./setup.ts";

export const DIRECT = "direct";
export const BARE_PROXY = "bare proxy";
export const BARE_MAP = "bare map";
export const PROXY = "Plugboard Proxy";
export const UNIFIED = "Plugboard Unified";

/** The targets that measure the store, by the number of connections that are called and stored. */
export const stores = {
  few: "one connection, 10 stored",
  atRandom: (called: number) => `${called} connections at random`,
  full: (stored: number) => `one connection, ${stored} stored`,
};

const request = (port: number, path: string, key: string, connection: string) =>
  [
    `GET ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    "Accept: application/json",
    `Authorization: Bearer ${key}`,
    `SVC-Connection-ID: ${connection}`,
    "",
    "",
  ].join("\r\n");

/** Gets the same headers as Plugboard, although it does not need all of them: reading them takes time. */
export const plain = (server: Running): Instance => ({
  server,
  requests: (size) => [request(server.port, `/${size}/api/v3/user/repos?per_page=100`, newApiKey().key, newId("conn"))],
});

export const surfaces = {
  Proxy: { path: "/proxy/user/repos?per_page=100", limit: BARE_PROXY },
  Unified: { path: "/unified/v1/git/repos?limit=100", limit: BARE_MAP },
};

export const plugboard = (
  surface: keyof typeof surfaces,
  server: Running,
  accounts: Record<Size, Account>,
): Instance => ({
  server,
  requests: (size) =>
    accounts[size].connections.map((connection) =>
      request(server.port, surfaces[surface].path, accounts[size].key, connection),
    ),
});
