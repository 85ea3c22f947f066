// How long the server takes for each page of the dashboard, with 10,000 connections and 100,000 log entries.
import { hash } from "node:crypto";
import { createSignInLink } from "../src/dashboard-link.ts";
import { newId } from "../src/runtime/ids.ts";
import { appendEntries } from "../test/support/log-entries.ts";
import { startService } from "../test/support/service.ts";

const CONNECTIONS = 10_000;
const ENTRIES = 100_000;
const BATCH = 500;
const ROUNDS = 30;

const service = await startService({ env: { LOG_LEVEL: "silent" } });
const { store } = service;
const workspace = (await store.workspaces.byName("sandbox"))!;
const template = (await store.connections.get(workspace.id, service.connections.slack!))!;
const ids: string[] = [];
for (let index = 0; index < CONNECTIONS; index++) {
  const id = newId("conn");
  ids.push(id);
  const is_valid = index % 50 !== 0;
  await store.connections.create({
    ...template,
    id,
    external_id: `customer-${index}`,
    is_valid,
    invalid_reason: is_valid ? null : "invalid_grant",
  });
}
for (let start = 0; start < ENTRIES; start += BATCH)
  await appendEntries(
    store,
    newId("log"),
    Array.from({ length: BATCH }, (_, index) => ({
      workspace_id: workspace.id,
      connection_id: ids[(start + index) % ids.length]!,
      request_id: hash("sha256", String(start + index)).slice(0, 32),
      surface: "unified",
      method: "GET",
      path: "/unified/v1/chat/channels",
      status: index % 20 === 0 ? 502 : 200,
      outcome: index % 20 === 0 ? "upstream_unreachable" : null,
      duration_ms: 20 + (index % 100),
      upstream_calls: 1,
      integration_id: template.integration_id,
      error_source: index % 20 === 0 ? "plugboard" : null,
      upstream: [{ method: "GET", path: "/api", status: 200, error: null, duration_ms: 10, attempt: 1 }],
      at: Date.now() - (ENTRIES - start - index) * 1_000,
    })) as never,
  );

const link = new URL(await createSignInLink(store, service.config, workspace, "dashboard")).searchParams.get("link")!;
const signedIn = await fetch(`${service.url}/dashboard/sign-in`, {
  method: "POST",
  redirect: "manual",
  headers: { origin: service.url },
  body: new URLSearchParams({ link }),
});
const cookie = signedIn.headers.get("set-cookie")!.split(";")[0]!;
const get = async (path: string) => {
  const begin = performance.now();
  const response = await fetch(`${service.url}/dashboard${path}`, { headers: { cookie } });
  const html = await response.text();
  if (response.status !== 200) throw new Error(`${path}: ${response.status}`);
  return { ms: performance.now() - begin, html };
};
const entry = /\/dashboard(\/requests\/log_\w+)/.exec((await get("/requests")).html)![1]!;

const pages: Record<string, string> = {
  Overview: "",
  "Overview, 7 days": "?period=week",
  Connections: "/connections",
  "Connections, by external id": "/connections?external_id=customer-9999",
  "Connections, invalid": "/connections?health=invalid",
  "One connection": `/connections/${ids[5_000]}`,
  Integrations: "/integrations",
  Catalogue: "/integrations/new",
  Explorer: `/explorer?connection=${ids[9_000]}`,
  Requests: "/requests",
  "Requests, of one connection": `/requests?connection_id=${ids[5_000]}`,
  "Requests, failed": "/requests?status=5xx&offset=1000",
  "One request": entry,
  Events: "/events",
  Webhooks: "/webhooks",
  "API keys": "/keys",
  Settings: "/settings",
  Sandbox: "/sandbox",
};
console.log(`| Page | Median | Slowest of ${ROUNDS} |\n|-|-|-|`);
for (const [name, path] of Object.entries(pages)) {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) times.push((await get(path)).ms);
  times.sort((one, other) => one - other);
  console.log(`| ${name} | ${times[ROUNDS / 2]!.toFixed(0)} ms | ${times.at(-1)!.toFixed(0)} ms |`);
}
await service.close();
