// Who may import whom, and that no part but a provider's own folder knows a provider by name.
import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../src");
const files = globSync("**/*.ts", { cwd: root }).filter((file) => !file.endsWith(".test.ts"));
const sources = new Map(files.map((file) => [file, readFileSync(join(root, file), "utf8")]));

/** What each part may import of ours, beside itself. Files right in `src` and the commands see everything. */
const allowed: Record<string, string[]> = {
  contracts: [],
  providers: ["contracts"],
  engine: ["contracts"],
  store: ["contracts"],
  coordination: ["contracts"],
  sandbox: ["contracts"],
  operations: ["contracts"],
  surfaces: ["contracts", "engine"],
};
const seesEverything = (part: string) => part === "commands" || part.endsWith(".ts");

const partOf = (file: string) => file.split("/")[0]!;

function importsOf(file: string): string[] {
  const specifiers = [...sources.get(file)!.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"(\.[^"]+)"/g)].map(
    ([, path]) => path!,
  );
  return specifiers.map((specifier) => relative(root, join(root, dirname(file), specifier)));
}

/** A file without its comments: string literals on one side, the rest of the code on the other. */
function read(source: string): { literals: string; code: string } {
  let literals = "";
  const code = source.replace(
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/g,
    (token) => {
      if (!token.startsWith("/")) literals += `${token}\n`;
      return " ";
    },
  );
  return { literals, code };
}

/** `isGithubUrl` is three words. */
const wordsOf = (text: string) =>
  new Set(
    text
      .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
      .toLowerCase()
      .split(/[^a-z0-9-]+/),
  );

const providerIds = globSync("providers/*/manifest.ts", { cwd: root }).map((file) => file.split("/")[1]!);

/** Ids that are also plain English: in names of our own they mean the word, so only literals are searched for them. */
const plainWords = ["box", "close", "front", "linear", "monday"];

describe("architecture", () => {
  it("knows every part", () => {
    const parts = new Set(files.map(partOf));
    for (const part of parts) expect(seesEverything(part) || part in allowed, `src/${part}`).toBe(true);
  });

  it.each(Object.keys(allowed))("%s imports only what it may", (part) => {
    const strangers: string[] = [];
    for (const file of files.filter((name) => partOf(name) === part && !name.endsWith(".gen.ts")))
      for (const imported of importsOf(file)) {
        const from = partOf(imported);
        const own = part === "providers" ? dirname(imported) === dirname(file) : from === part;
        if (!own && !allowed[part]!.includes(from)) strangers.push(`${file} imports ${imported}`);
      }
    expect(strangers).toEqual([]);
  });

  it("surfaces reach the engine by its front door", () => {
    const inner = files
      .filter((file) => partOf(file) === "surfaces")
      .flatMap((file) => importsOf(file).map((imported) => `${file} imports ${imported}`))
      .filter((line) => / engine\/(?!index\.ts)/.test(line));
    expect(inner).toEqual([]);
  });

  it("providers open no socket", () => {
    const sockets = files
      .filter((file) => partOf(file) === "providers")
      .filter((file) => /\bfetch\(|"(?:node:)?(?:https?|http2|net|tls|dgram|undici)"/.test(sources.get(file)!));
    expect(sockets).toEqual([]);
  });

  it("no core file names a provider", () => {
    expect(providerIds.length).toBeGreaterThan(0);
    const named: string[] = [];
    for (const file of files.filter((name) => partOf(name) !== "providers")) {
      const { literals, code } = read(sources.get(file)!);
      const inLiterals = wordsOf(literals);
      const inCode = wordsOf(code);
      for (const id of providerIds)
        if (inLiterals.has(id) || (inCode.has(id) && !plainWords.includes(id))) named.push(`${file} names ${id}`);
    }
    expect(named).toEqual([]);
  });

  it("finds a name where there is one", () => {
    const { literals, code } = read(
      '// github\nconst isGithub = id === "git-hub"; /* gitlab */ url("https://gitea.com");',
    );
    expect(wordsOf(code)).toContain("github");
    expect(wordsOf(literals)).toContain("gitea");
    expect([...wordsOf(code), ...wordsOf(literals)]).not.toContain("gitlab");
  });

  it("gives a reason for each dependency", () => {
    const folder = join(root, "..");
    const { dependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const decisions = readFileSync(join(folder, "docs/decisions.md"), "utf8");
    const listed = [...decisions.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, names]) => names!.split(", "));
    expect(Object.keys(dependencies).filter((name) => !listed.includes(name))).toEqual([]);
  });
});
