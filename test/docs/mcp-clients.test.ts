// What docs/mcp-clients.md says to paste: the addresses and headers work with the official client, and the commands and
// the program that signs people in are run as they are. Its programs with agent SDKs are in test/mcp/agent-sdks.test.ts.
import { dirname } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { connectModernClient } from "../mcp/support.ts";
import { consentAt, decide } from "../mcp-sign-in/support.ts";
import { freePort } from "../support/postgres.ts";
import { startService, type TestService } from "../support/service.ts";
import { onlyThisMachine, openPrograms } from "./support/programs.ts";

const programs = openPrograms("mcp-clients.md");

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await startService();
  key = `${service.apiKey}.${service.connections.github}`;
});
afterEach(programs.end);
afterAll(async () => {
  await service?.close();
  programs.remove();
});

const blocks = (language: string) =>
  [...programs.text.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"))].map(([, block]) => block!);
const here = (text: string) => text.replaceAll("http://127.0.0.1:8080", service.url);

interface Entry {
  type?: string;
  url: string;
  headers?: Record<string, string>;
}

/** What the page has clients configured with, in files and by commands. */
const entries = [
  ...blocks("json").map((text): Entry => {
    const { mcpServers, servers = mcpServers } = JSON.parse(text);
    return servers.plugboard;
  }),
  ...blocks("sh").flatMap((text): Entry[] => {
    const [, type, url, name, value] =
      /^claude mcp add --transport (\w+) plugboard (\S+)(?: \\\n {2}--header "([^:]+): (.+)")?\n$/.exec(text) ?? [];
    return url ? [{ type: type!, url, ...(name && { headers: { [name]: value! } }) }] : [];
  }),
];

describe("a client that is configured as on the page", () => {
  it("has entries of every client that is configured by a file or a command, with sign-in and with a key", () => {
    const withKey = entries.filter(({ headers }) => headers);
    expect([withKey.length, entries.length - withKey.length]).toEqual([4, 3]);
    for (const { type = "http" } of entries) expect(type).toBe("http");
  });

  it("gets its tools with the header in which the key is", async () => {
    for (const { url, headers } of entries) {
      if (!headers) continue;
      const { Authorization = "" } = headers;
      expect(Authorization).toMatch(/^Bearer \$\{?[\w:-]+\}?$/);
      const { client, close } = await connectModernClient(here(url), { Authorization: `Bearer ${key}` });
      expect((await client.listTools()).tools.map(({ name }) => name)).toContain("git_list_issues");
      await close();
    }
  });

  it("is told where people can sign in if it has no key", async () => {
    for (const { url, headers } of entries) {
      if (headers) continue;
      const { status, headers: answered } = await fetch(here(url), { method: "POST" });
      expect([status, answered.get("www-authenticate")]).toEqual([401, expect.stringContaining("resource_metadata=")]);
    }
  });
});

it("the Inspector's command line lists the tools and calls one", async () => {
  const commands = blocks("sh").filter((text) => text.startsWith("npx @modelcontextprotocol/inspector --cli"));
  const [list, call] = await Promise.all(
    commands.map(async (text) => {
      const script = here(text).replace("npx @modelcontextprotocol/inspector", "node node_modules/.bin/mcp-inspector");
      const env = { ...onlyThisMachine, PATH: dirname(process.execPath), HOME: programs.folder, MCP_KEY: key };
      // All schemas can be used with all models, even if some of what they say may be ignored.
      const stderr = /^(Schema portability: 0 errors, .*\n)?$/;
      return JSON.parse(await programs.run("/bin/bash", ["-c", script], env, { stderr }));
    }),
  );
  expect(list.tools.map(({ name }: any) => name)).toContain("git_list_issues");
  expect(call.structuredContent.response.data).toHaveLength(2);
});

it("the program that signs people in waits for one, and lists the accounts that they chose", async () => {
  const port = String(await freePort());
  const env = { ...onlyThisMachine, PLUGBOARD_URL: service.url, PORT: port };
  const { output, ended } = programs.start(process.execPath, ["sign-in.mjs"], env);
  await expect.poll(() => output.stdout + output.stderr).toMatch(/^Open \S+\n$/);
  const { browser, page } = await consentAt(service, output.stdout.slice("Open ".length).trim());
  const chosen = { connections: [service.connections.github!, service.connections.linear!] };
  const answer = await decide(browser, page, chosen);
  expect(new URL(answer.location!).port).toBe(port);

  // Somebody else's answer does not end the wait.
  const forged = new URL(answer.location!);
  forged.searchParams.set("state", "guessed");
  expect((await browser.send(forged.href)).status).toBe(404);
  expect((await browser.send(answer.location!)).html).toBe("You can close this page.");
  expect([await ended, output.stderr, output.stdout.split("\n").slice(1, 3).toSorted()]).toEqual([
    0,
    "",
    ["github", "linear"],
  ]);
});
