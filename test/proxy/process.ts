import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SandboxFile } from "../../src/sandbox-workspace.ts";
import { PROVIDER } from "./support.ts";

const root = join(import.meta.dirname, "../..");

/** The service as a process of its own, whose memory can be told from the test's. */
export async function startProcess(env: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), "plugboard-"));
  const child = spawn(process.execPath, [join(root, "src/main.ts"), "start"], {
    env: { PATH: process.env.PATH, PORT: "0", DATA_DIR: folder, LOG_LEVEL: "error", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  child.stdout.on("data", (chunk) => {
    printed += chunk;
  });
  while (!printed.includes("is ready at")) {
    const [ended] = await Promise.race([once(child.stdout, "data").then(() => [false]), once(child, "exit")]);
    if (ended !== false) throw new Error(`the service ended: ${printed}`);
  }
  const url = /is ready at (\S+)/.exec(printed)![1]!;
  const sandbox: SandboxFile = JSON.parse(readFileSync(join(folder, "sandbox.json"), "utf8"));

  const platform = async (method: string, path: string, body: object): Promise<any> => {
    const response = await fetch(`${url}/platform/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${sandbox.api_key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };

  return {
    url,
    /** Headers of a connection that leads to `upstream`. */
    async connectTo(upstream: string): Promise<Record<string, string>> {
      const integration = sandbox.integrations[PROVIDER]!;
      await platform("PATCH", `/integrations/${integration}`, { base_url: upstream, mcp_url: `${upstream}/mcp` });
      const { id } = await platform("POST", "/connections", { integration_id: integration, auth_token: "made-up" });
      return { authorization: `Bearer ${sandbox.api_key}`, "SVC-Connection-ID": id };
    },
    /** Megabytes that the process holds now. */
    memory: () => Number(/VmRSS:\s*(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))![1]) / 1024,
    async close() {
      child.kill("SIGTERM");
      if (child.exitCode === null) await once(child, "exit");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type ServiceProcess = Awaited<ReturnType<typeof startProcess>>;
