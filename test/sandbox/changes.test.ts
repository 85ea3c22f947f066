// Changes on command in the sandbox: what docs/sandbox.md says about them, and many of them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { operations } from "../../src/categories/index.ts";
import type { ChangedRecords } from "../../src/contracts/emulator.ts";
import { providers } from "../../src/providers/registry.gen.ts";
import { emulators } from "../../src/providers/sandboxes.gen.ts";
import { createClient } from "../conformance/client.ts";
import { startService, type TestService } from "../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService({ env: { UNIFIED_RATE_LIMIT: "1000000/60", LOG_LEVEL: "error" } });
});
afterAll(() => service?.close());

it("docs/sandbox.md lists every change that is impossible at a provider, with the reason", async () => {
  const rows: string[] = [];
  for (const [id, emulator] of Object.entries(emulators))
    for (const [list, { impossible }] of Object.entries((await emulator.load()).changes ?? {})) {
      const kinds = Object.keys(impossible).join(", ");
      if (kinds)
        rows.push(`| ${id} | \`${list}\` | ${kinds} | ${[...new Set(Object.values(impossible))].join("; ")} |`);
    }
  const page = readFileSync(join(import.meta.dirname, "../../docs/sandbox.md"), "utf8");
  expect(page.split("\n").filter((line) => /^\| [\w-]+ \| `\w+\.list/.test(line))).toEqual(rows);
});

it("ten thousand changes, a thousand at a time, leave exactly the records that the answers name", async () => {
  const list = operations.find(({ id }) => id === "tasks.listTasks")!;
  const client = createClient(service, providers.find(({ manifest }) => manifest.id === "trello")!);
  const walk = async () => new Map((await client.walk(list, {}, [100])).map((task) => [task.id as string, task]));
  const before = await walk();
  const expected = new Set(before.keys());
  const updated = new Set<string>();
  const steps = [{ create: 1000 }, ...Array.from({ length: 9 }, () => ({ create: 300, update: 400, delete: 300 }))];
  for (const step of steps) {
    const body = JSON.stringify({ provider: "trello", list: list.id, ...step });
    const response = await fetch(`${service.url}/sandbox/_changes`, { method: "POST", body });
    expect(response.status).toBe(201);
    const changed = (await response.json()) as Record<keyof ChangedRecords, string[]>;
    for (const id of changed.created) expected.add(id);
    for (const id of changed.deleted) expect(expected.delete(id)).toBe(true);
    for (const id of changed.updated) updated.add(id);
  }
  const after = await walk();
  expect([...after.keys()].sort()).toEqual([...expected].sort());
  for (const [id, task] of after)
    if (before.has(id)) expect(task.title === before.get(id).title).toBe(!updated.has(id));
    else expect(task.title).toMatch(updated.has(id) ? /^Updated/ : /^Created/);
});
