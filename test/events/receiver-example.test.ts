// The receiver of docs/events.md, run as it is.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createStrictPlatform } from "../support/platform.ts";
import { startService, type TestService } from "../support/service.ts";

const root = join(import.meta.dirname, "../..");
const [, source] = /```js\n([\s\S]*?)```/.exec(readFileSync(join(root, "docs/events.md"), "utf8"))!;

let service: TestService;
beforeAll(async () => {
  service = await startService({ env: { ALLOW_PRIVATE_UPSTREAMS: "true" } });
});
afterAll(() => service?.close());

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}

it("the receiver of docs/events.md accepts what is sent, once, and refuses what is not signed", async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const platform = createStrictPlatform(service, service.apiKey);
  const events = { "connection.updated": true };
  const { id, secret } = await platform("POST", "/webhooks", { name: "Example", url, events });
  const child = spawn(process.execPath, ["--input-type=module", "--eval", source!], {
    cwd: root,
    env: { PATH: process.env.PATH, PORT: String(port), WEBHOOK_SECRET: secret },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (data) => {
      output += data;
    });
  try {
    const unsigned = async () => (await fetch(url, { method: "POST", body: "{}" }).catch(() => undefined))?.status;
    await expect.poll(unsigned).toBe(400);
    const connection = service.connections.github!;
    await platform("PATCH", `/connections/${connection}`, { external_id: "user_1" });
    await expect.poll(() => output).toBe(`connection.updated ${connection}\n`);
    const delivered = async () => (await platform("GET", `/webhooks/${id}/deliveries`))[0];
    await expect.poll(async () => (await delivered()).state).toBe("delivered");
    await platform("POST", `/deliveries/${(await delivered()).id}/resend`);
    await expect.poll(async () => (await delivered()).attempts.length).toBe(2);
    expect(output).toBe(`connection.updated ${connection}\n`);
  } finally {
    child.kill("SIGKILL");
    await once(child, "close");
  }
});
