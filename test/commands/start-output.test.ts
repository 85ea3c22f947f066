// What a start prints: to a person at a terminal a call to paste, to everything else JSON without a key.
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { withPort } from "../../src/commands/start.ts";
import { ConfigError, readConfig } from "../../src/config/index.ts";
import { VERSION } from "../../src/runtime/version.ts";
import { newDataDir, runCommand, startPlugboard } from "../support/process.ts";
import { runInTerminal, terminalProblem } from "../support/terminal.ts";

const folders: string[] = [];
function newFolder(): string {
  const folder = newDataDir();
  folders.push(folder);
  return folder;
}
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(terminalProblem())("plugboard start in a terminal", () => {
  it("plugboard start in a terminal prints a call that works when pasted, the API key, and where everything is", async () => {
    const dataDir = newFolder();
    await runInTerminal(["start"], { DATA_DIR: dataDir, PORT: "0" }, /Reference .*\n/, async (output) => {
      const url = /^Plugboard is ready at (\S+)$/m.exec(output)![1]!;
      const [, address, ...headers] = /curl '([^']+)' -H '([^:]+): ([^']+)' -H '([^:]+): ([^']+)'/.exec(output)!;
      const response = await fetch(address!, {
        headers: { [headers[0]!]: headers[1]!, [headers[2]!]: headers[3]! },
      });
      expect(response.status).toBe(200);
      const { data } = ((await response.json()) as any).response;
      expect(data).toHaveLength(3);
      const { api_key } = JSON.parse(readFileSync(join(dataDir, "sandbox.json"), "utf8"));
      const link = /^ {2}Dashboard {2}(\S+)$/m.exec(output)![1]!;
      expect(link.startsWith(`${url}/dashboard/sign-in?link=pbl_`)).toBe(true);
      expect(await (await fetch(link)).text()).toContain("Continue to the dashboard");
      for (const part of [`API key    ${api_key}`, join(dataDir, "sandbox.json"), `${url}/docs`])
        expect(output).toContain(part);
      // The README shows the same call, and the beginning of its answer.
      const readme = readFileSync(join(import.meta.dirname, "../..", "README.md"), "utf8");
      expect(readme).toContain(`curl 'http://127.0.0.1:8080${address!.slice(url.length)}'`);
      const [first] = Object.entries(data[0]) as [[string, unknown]];
      expect(readme).toContain(`"data": [{"${first[0]}": ${JSON.stringify(first[1])}, `);
    });
  });
});

it("the free port of PORT=0 is given to nobody else before the service listens", async () => {
  const { config, releasePort } = await withPort({ PORT: "0", DATA_DIR: newFolder() });
  const listen = async () => {
    const server = createServer().listen(config.port, config.host);
    await once(server, "listening");
    server.close();
  };
  await expect(listen()).rejects.toMatchObject({ code: "EADDRINUSE" });
  await releasePort();
  await listen();
});

describe("output that is not a terminal", () => {
  it("plugboard start writes JSON from the first line, no API key, and the name of the file that has it", async () => {
    const DATA_DIR = newFolder();
    const service = await startPlugboard({ DATA_DIR, REDIS_URI: "x" });
    expect(await service.stop("SIGTERM")).toBe(0);
    const { stdout, stderr } = service.output;
    expect(stderr).toBe("");
    const [warning, ...parsed] = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(warning).toMatchObject({
      level: "warn",
      msg: "the environment variable REDIS_URI is unknown and has no effect: did you mean REDIS_URL?",
    });
    expect(parsed[0]).toMatchObject({ level: "info", file: join(DATA_DIR, "sandbox.json") });
    expect(parsed[1].msg).toContain("npx plugboard dashboard");
    expect(parsed[2]).toMatchObject({ level: "info", version: VERSION, url: expect.stringMatching(/^http:/) });
    expect(parsed[2].msg).toBe(`Plugboard is ready at ${parsed[2].url}`);
    expect(stdout).not.toMatch(/sk_[A-Za-z0-9]|pbl_[A-Za-z0-9]/);
  });
});

describe("the address to listen on", () => {
  const refusals = (env: Record<string, string | undefined>): string[] => {
    try {
      readConfig(env);
      return [];
    } catch (error) {
      if (error instanceof ConfigError) return error.lines;
      throw error;
    }
  };

  it.each(["0.0.0.0", "::", "192.0.2.1", "plugboard.example.com", "127.0.0.1.example.com", "fe80::1"])(
    "HOST=%s, which other machines may reach, is refused with SANDBOX=on, set or not",
    (HOST) => {
      for (const env of [{ HOST }, { HOST, SANDBOX: "on" }])
        expect(refusals(env)).toEqual([
          `SANDBOX: must be off or public, not on, with HOST=${HOST}, which other machines may reach: off for production, public if everybody who can reach it may use the emulated providers`,
        ]);
      expect(readConfig({ HOST, SANDBOX: "off" }).sandbox).toBe(false);
      expect(readConfig({ HOST, SANDBOX: "public" }).sandbox).toBe(true);
    },
  );

  it.each(["127.0.0.1", "127.9.9.9", "localhost", "LOCALHOST", "::1"])("HOST=%s is only for this machine", (HOST) => {
    expect(readConfig({ HOST }).sandbox).toBe(true);
  });

  it("plugboard sandbox needs SANDBOX=public to be reached by other machines", async () => {
    const { code, stdout, stderr } = await runCommand(["sandbox", "--port", "0"], { HOST: "0.0.0.0", SANDBOX: "off" });
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^plugboard: SANDBOX: must be public, not off, .*HOST=0\.0\.0\.0.*\n$/);
  });

  it.each(["BU", "B", "-BU-", `${"B".repeat(40)}-`])("HEADER_PREFIX=%s is refused", (HEADER_PREFIX) => {
    expect(refusals({ HEADER_PREFIX })).toEqual([
      `HEADER_PREFIX: must be letters, digits and hyphens, starting with a letter and ending with a hyphen, such as SVC-, not "${HEADER_PREFIX}"`,
    ]);
    expect(readConfig({ HEADER_PREFIX: "BU-" }).headerPrefix).toBe("BU-");
  });

  it("a port that is in use stops the start with one line that names PORT", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    for (const command of [["start"], ["sandbox"]]) {
      const { code, stderr } = await runCommand(command, { DATA_DIR: newFolder(), PORT: String(port) });
      expect(stderr).toBe(
        `plugboard: PORT: ${port} is already in use on 127.0.0.1. Stop the process that uses it, or choose another port (EADDRINUSE)\n`,
      );
      expect(code).toBe(1);
    }
    server.close();
  });

  it.each(["0", "8080"])(
    "an address of another machine stops the start with one line that names HOST (PORT=%s)",
    async (PORT) => {
      const env = { DATA_DIR: newFolder(), HOST: "192.0.2.1", SANDBOX: "off", PORT };
      const { code, stderr } = await runCommand(["start"], env);
      expect(stderr).toBe("plugboard: HOST: 192.0.2.1 is not an address of this machine (EADDRNOTAVAIL)\n");
      expect(code).toBe(1);
    },
  );
});
