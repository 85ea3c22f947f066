// `plugboard listen`, which tails events on a developer's machine.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { callCommand } from "../support/command.ts";
import { createPlatform, createStrictPlatform } from "../support/platform.ts";
import { launch, newDataDir, runCommand } from "../support/process.ts";
import { startService, type TestService } from "../support/service.ts";
import { type Receiver, startReceiver } from "./support/receiver.ts";

const folder = newDataDir();
let service: TestService;
let receiver: Receiver;
beforeAll(async () => {
  service = await startService({ env: { DATA_DIR: folder } });
  receiver = await startReceiver();
});
afterAll(async () => {
  await service?.close();
  await receiver?.close();
  rmSync(folder, { recursive: true, force: true });
});

const change = (external_id: string) =>
  createStrictPlatform(service, service.apiKey)("PATCH", `/connections/${service.connections.github}`, { external_id });

async function listen(
  args: string[],
  env: Record<string, string>,
  work: (output: { stdout: string; stderr: string }) => Promise<void>,
) {
  const { child, output } = launch(["listen", ...args], env);
  try {
    await expect.poll(() => output.stdout + output.stderr).toMatch(/Listening for events/);
    await work(output);
  } finally {
    child.kill("SIGKILL");
    await once(child, "close");
  }
}

it("listen prints and forwards events, signed with the secret that it shows, and survives a restart of the service", async () => {
  const { port } = service.config;
  // Found on the same machine: the address by the port, the key in the sandbox's file.
  await listen(["--forward", `${receiver.url}/hook`], { PORT: String(port), DATA_DIR: folder }, async (output) => {
    const [secret] = /whsec_\S+/.exec(output.stdout)!;
    await change("first");
    await expect
      .poll(() => output.stdout)
      .toMatch(/connection\.updated {2}conn_\w+ {2}evt_\w+\n {2}\S+\/hook answered 204/);
    const [received] = receiver.received;
    const event = new Webhook(secret).verify(received!.body, received!.headers as Record<string, string>);
    expect(event).toMatchObject({ type: "connection.updated", data: { external_id: "first" } });

    await service.close();
    await expect.poll(() => output.stdout).toMatch(/Waiting for /);
    service = await startService({ env: { DATA_DIR: folder, PORT: String(port) } });
    await change("second");
    // The start of a sandbox may create events as well.
    const externalIds = () => receiver.received.map(({ body }) => JSON.parse(body).data.external_id);
    await expect.poll(externalIds).toContain("second");
    expect(output.stdout).toMatch(/is available again/);
  });
});

it("listen prints only the events that are asked for, as JSON, from a time on", async () => {
  const since = new Date(Date.now() - 1).toISOString();
  await change("third");
  const args = [
    "--json",
    "--types",
    "connection.updated,tasks.*",
    "--since",
    since,
    "--url",
    `${service.url}/platform`,
  ];
  await listen(args, { PLUGBOARD_API_KEY: service.apiKey }, async (output) => {
    await expect.poll(() => output.stdout).toMatch(/third/);
    const events = output.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events).toMatchObject([{ type: "connection.updated", data: { external_id: "third" } }]);
  });
});

it("listen ends with the command that started it", async () => {
  const launcher = new URL("../../bin/plugboard.js", import.meta.url).pathname;
  const command = `${process.execPath} ${launcher} listen --json & echo $!; wait`;
  const env = { ...process.env, PLUGBOARD_API_KEY: service.apiKey, PLATFORM_URL: `${service.url}/platform` };
  const shell = spawn("sh", ["-c", command], { env });
  let output = "";
  for (const stream of [shell.stdout, shell.stderr]) stream.on("data", (chunk) => (output += chunk));
  await expect.poll(() => output).toMatch(/Listening for events/);
  const pid = Number.parseInt(output, 10);
  onTestFinished(() => void isRunning(pid, "SIGKILL"));
  shell.kill("SIGKILL");
  await once(shell, "exit");
  await change("nobody reads this");
  await expect.poll(() => isRunning(pid)).toBe(false);
});

function isRunning(pid: number, signal: 0 | "SIGKILL" = 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

it.each([
  [["--types", "tasks.nothing"], /--types: Unknown event types: tasks.nothing/, 2],
  [["--api-key", "sk_wrong"], /does not accept the API key/, 1],
  [["--forward", "localhost"], /--forward must be an http or https address/, 2],
  [["--since", "yesterday"], /--since must be/, 2],
  [["--since", "1"], /--since must be/, 2],
  [["--since", "2026-02-31"], /--since must be/, 2],
  [["--loud"], /unknown option/i, 2],
])("listen %j ends with one line that says what is wrong", async (args, message, code) => {
  const env = { PLUGBOARD_API_KEY: service.apiKey, PLATFORM_URL: `${service.url}/platform` };
  const result = await callCommand(["listen", ...args], env);
  expect(result.stderr).toMatch(message);
  expect(result.stderr.trim().split("\n")).toHaveLength(1);
  expect(result.code).toBe(code);
});

it.each(["", "/docs/guides/moving?"])("listen at the wrong address %j says which one is right", async (path) => {
  const args = ["listen", "--url", service.url + path, "--api-key", service.apiKey];
  const { code, stderr } = await callCommand(args);
  const message = `there is no Platform API at ${service.url}${path}: give its address, such as http://127.0.0.1:8080/platform`;
  expect([code, stderr]).toEqual([1, `plugboard: ${message}\n`]);
});

it("listen with a key that may not read events names the scope that it lacks", async () => {
  const { api_key } = (await createPlatform(service, service.apiKey)("POST", "/v1/api-keys", { scopes: ["proxy"] }))
    .body;
  const result = await runCommand(["listen", "--api-key", api_key], { PLATFORM_URL: `${service.url}/platform` });
  expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining("lacks the scope events:read") });
});

it("listen without a key says where to give one", async () => {
  const empty = newDataDir();
  const result = await callCommand(["listen"], { DATA_DIR: empty, PLUGBOARD_API_KEY: "" });
  expect(result.stderr).toMatch(/--api-key KEY or PLUGBOARD_API_KEY/);
  rmSync(empty, { recursive: true, force: true });
});
