// npm run release:figures [-- --write]: packs Plugboard, installs it into an empty folder, and measures. `--write` puts
// the figures into docs/releasing.md.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { table } from "../markdown.ts";
import { makeArtifacts } from "./artifacts.ts";
import { installPackage } from "./installed.ts";

export interface Figures {
  packedBytes: number;
  bytes: number;
  packages: number;
  installSeconds: number;
  firstStartSeconds: number;
  startSeconds: number;
  callSeconds: number;
}

/** What an installation may have: more needs a reason in docs/releasing.md. */
export const MAX_BYTES = 95e6;
export const MAX_PACKAGES = 170;

interface UnifiedList {
  response: { data: Record<string, unknown>[] };
}

/** A list of the Unified API from the sandbox, with the key and the connection that a start has written. */
export async function callSandbox(
  url: string,
  folder: string,
  path: string,
  provider = "github",
): Promise<UnifiedList> {
  const { api_key, connections } = JSON.parse(readFileSync(join(folder, "data/sandbox.json"), "utf8"));
  const headers = { authorization: `Bearer ${api_key}`, "svc-connection-id": connections[provider] };
  const response = await fetch(`${url}${path}`, { headers });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as UnifiedList;
}

/** Installs a packed file, starts it twice, and makes a call. */
export async function measurePackage(file: string): Promise<Figures> {
  const installed = installPackage(file);
  try {
    const first = await installed.start();
    const began = performance.now();
    await callSandbox(first.url, installed.folder, "/unified/v1/git/repos?limit=1");
    const callSeconds = (performance.now() - began) / 1000;
    await first.stop();
    const second = await installed.start();
    await second.stop();
    return {
      packedBytes: statSync(file).size,
      bytes: installed.bytes,
      packages: installed.packages,
      installSeconds: installed.seconds,
      firstStartSeconds: first.seconds,
      startSeconds: second.seconds,
      callSeconds,
    };
  } finally {
    installed.remove();
  }
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
const seconds = (value: number) => `${value.toFixed(1)} s`;

export const describeFigures = (figures: Figures): string =>
  table(
    ["What", "How much"],
    [
      ["The packed file", megabytes(figures.packedBytes)],
      ["Installed", `${megabytes(figures.bytes)}, at most ${megabytes(MAX_BYTES)} allowed`],
      ["Packages", `${figures.packages}, at most ${MAX_PACKAGES} allowed`],
      ["`npm i`", seconds(figures.installSeconds)],
      ["`npx plugboard start` until it is ready, the first time", seconds(figures.firstStartSeconds)],
      ["`npx plugboard start` until it is ready, later", seconds(figures.startSeconds)],
      ["The first call to the sandbox", `${Math.round(figures.callSeconds * 1000)} ms`],
    ],
  );

/** Puts the table between the comments around it. */
function writePage(file: string, text: string): void {
  const start = "<!-- figures: written by `npm run release:figures -- --write` -->\n";
  const [before, after] = readFileSync(file, "utf8").split(start);
  if (after === undefined) throw new Error(`${file} has no place for the figures`);
  writeFileSync(file, `${before}${start}\n${text}\n\n${after.slice(after.indexOf("<!-- end -->"))}`);
}

if (import.meta.main) {
  const root = join(import.meta.dirname, "../..");
  const folder = mkdtempSync(join(tmpdir(), "plugboard-figures-"));
  try {
    const { packed } = await makeArtifacts({ root, commit: "HEAD", folder, image: false });
    const text = describeFigures(await measurePackage(packed));
    console.log(text);
    if (process.argv.includes("--write")) writePage(join(root, "docs/releasing.md"), text);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
