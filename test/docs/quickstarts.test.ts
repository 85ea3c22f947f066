// The programs of docs/quickstarts.md, run as they are written there, in processes of their own.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { cleanText } from "../../src/surfaces/unified/mcp/clean-text.ts";
import { createAgent, leftFor } from "../auth/support/agent.ts";
import { agree } from "../auth/support/application.ts";
import { freePort } from "../support/postgres.ts";
import { requestsDuring } from "../support/sandbox.ts";
import { startService, type TestService } from "../support/service.ts";
import { openPrograms } from "./support/programs.ts";

const programs = openPrograms("quickstarts.md");

let service: TestService;
beforeAll(async () => {
  service = await startService({ env: { RATE_LIMIT: "1000/60", UNIFIED_RATE_LIMIT: "1000/60" } });
});
afterEach(programs.end);
afterAll(async () => {
  await service?.close();
  programs.remove();
});

const env = () => ({
  API_KEY: service.apiKey,
  PLUGBOARD_URL: service.url,
  CONNECTION_ID: service.connections.linear!,
});
const run = (program: string) => programs.run(process.execPath, [program], env());

/** The tasks in progress as the programs print them; some titles have line breaks. */
async function printedTasks(limit: number): Promise<string> {
  const response = await fetch(`${service.url}/unified/v1/tasks/tasks?status_category=in_progress&limit=${limit}`, {
    headers: { authorization: `Bearer ${service.apiKey}`, "SVC-Connection-ID": service.connections.linear! },
  });
  const { data } = ((await response.json()) as any).response;
  expect(data).toHaveLength(limit);
  return data.map(({ status, title }: any) => `[${status}] ${title}`).join("\n");
}

it("the application connects a user, whose browser returns to it, and lists the user's tasks", async () => {
  const port = await freePort();
  const app = `http://127.0.0.1:${port}`;
  const { output } = programs.start(process.execPath, ["app.mjs"], { ...env(), PORT: String(port) });
  await expect.poll(() => output.stdout + output.stderr).toBe(`${app}\n`);
  const open = async (path: string | URL) => {
    const response = await fetch(new URL(path, app), { redirect: "manual" });
    return { status: response.status, location: response.headers.get("location"), text: await response.text() };
  };
  expect((await open("/")).text).toBe("Open /connect to connect an account.");

  const { location } = await open("/connect");
  const returned = leftFor(await agree(createAgent(service.url), location!));
  expect(returned.href.startsWith(`${app}/connected?code=`)).toBe(true);
  expect(await open(returned)).toMatchObject({ status: 302, location: "/" });
  expect((await open("/")).text).toBe(await printedTasks(10));

  // A code works once, and a user who changes their mind is told.
  expect((await open(returned)).status).toBe(500);
  expect((await open("/connected?error=access_denied&error_description=Denied")).text).toBe("Not connected: Denied");
});

it("the agent lists the tools, calls one, and gets the error of another as text for the model", async () => {
  const text = await run("agent.mjs");
  const tasks = cleanText(await printedTasks(3));
  expect(text).toMatch(new RegExp(`^\\d+ tools, \\d+ only read\n${RegExp.escape(tasks)}\n.*[Nn]ot found`, "s"));
});

it("connections of another product are imported with their ids and refresh tokens, and only once", async () => {
  const [sample] = JSON.parse(/```json\n([\s\S]*?)```/.exec(programs.text)![1]!);
  const { token, refresh_token } = service.sandbox.credentials("linear", "oauth2").credentials;
  const credentials = { ...sample.credentials, access_token: token, refresh_token };
  const ids = ["moved-user", sample.connection_id];
  const old = [
    { ...sample, end_user: { id: ids[0] }, credentials },
    { ...sample, end_user: null, credentials: { ...credentials, expires_at: null } },
  ];
  writeFileSync(join(programs.folder, "connections.json"), JSON.stringify(old));

  const seen = await requestsDuring(service, "linear", async () => {
    expect((await run("import.mjs")).split("\n")).toEqual(
      ids.map((id) => expect.stringMatching(`^${id}: imported, account of \\S+@`)),
    );
  });
  // The sample's token has expired, so it was refreshed with the imported refresh token.
  expect(seen.filter(({ path }) => path === "/oauth/token")).toHaveLength(1);
  expect((await run("import.mjs")).split("\n")).toEqual(ids.map((id) => expect.stringMatching(`^${id}: was there`)));
  for (const id of ids) {
    const response = await fetch(`${service.url}/platform/v1/connections?external_id=${id}`, {
      headers: { authorization: `Bearer ${service.apiKey}` },
    });
    expect(await response.json()).toEqual([
      expect.objectContaining({ integration_identifier: "linear", is_valid: true, metadata: sample.metadata }),
    ]);
  }
});
