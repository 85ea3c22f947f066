// The shell examples of the docs, run as they are against a started sandbox: each must print what the JSON block after
// it shows, in which an ellipsis stands for anything; without such a block, any JSON.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startService, type TestService } from "../support/service.ts";

const root = join(import.meta.dirname, "../..");
const SEPARATOR = "\u0001";
const isMissing = (tool: string) => spawnSync(tool, ["--version"]).error !== undefined;

interface Example {
  commands: string;
  /** The JSON block that follows, if there is one. */
  shown: string | undefined;
}

function examplesOf(page: string): Example[] {
  const blocks = [...readFileSync(join(root, page), "utf8").matchAll(/```(\w+)\n([\s\S]*?)```/g)].map(
    ([, language, text]) => ({ language, text: text! }),
  );
  return blocks.flatMap(({ language, text }, index) => {
    // Installing and starting is left to other tests, and packages from elsewhere are not called.
    if (language !== "sh" || !text.includes("curl") || /^npx /m.test(text)) return [];
    const next = blocks[index + 1];
    return [{ commands: text, shown: next?.language === "json" ? next.text : undefined }];
  });
}

/** Without white space, since the docs break lines differently. */
const compact = (text: string) => text.replaceAll(/\s/g, "");
const pattern = (shown: string) => new RegExp(`^${compact(shown).split("…").map(RegExp.escape).join(".*?")}$`);

let service: TestService;
const folder = mkdtempSync(join(tmpdir(), "plugboard-docs-"));
beforeAll(async () => {
  service = await startService();
  const { api_key, ...rest } = service.parts.sandbox!.file;
  mkdirSync(join(folder, "data"));
  writeFileSync(join(folder, "data/sandbox.json"), JSON.stringify({ api_key, ...rest }));
});
afterAll(async () => {
  await service?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the examples of a page in one shell, as a reader would, and returns what each printed. */
async function runExamples(examples: Example[]): Promise<string[]> {
  const script = examples
    .map(({ commands }) => commands.replaceAll("http://127.0.0.1:8080", service.url))
    .join(`\nprintf '${SEPARATOR}'\n`);
  const child = spawn("bash", ["-euo", "pipefail", "-c", script], {
    cwd: folder,
    env: { PATH: [dirname(process.execPath), process.env.PATH].join(delimiter), HOME: folder },
  });
  const output = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const)
    child[stream].on("data", (data) => {
      output[stream] += data;
    });
  const status = await new Promise<number | null>((resolve) => child.once("close", resolve));
  expect(status, output.stderr + output.stdout).toBe(0);
  return output.stdout.split(SEPARATOR);
}

describe.skipIf((isMissing("bash") || isMissing("curl")) && !process.env.CI)("examples of the docs", () => {
  it.each([
    ["README.md", 1],
    ["docs/unified.md", 7],
    ["docs/proxy.md", 1],
    ["docs/any-api.md", 2],
    ["docs/custom-fields.md", 4],
    ["docs/mcp.md", 1],
    ["docs/events.md", 3],
    // Last, because it makes calls fail.
    ["docs/sandbox.md", 2],
  ])("%s: every example works, and prints what the page shows", async (page, count) => {
    const examples = examplesOf(page);
    expect(examples.length).toBeGreaterThanOrEqual(count);
    const printed = await runExamples(examples);
    expect(printed).toHaveLength(examples.length);
    for (const [index, { shown }] of examples.entries()) {
      const text = compact(printed[index]!);
      if (shown) expect(text).toMatch(pattern(shown));
      else expect(text).toMatch(/^[[{]/);
    }
  });
});
