// Who may import whom, that no imports go in a circle, and that only a provider's own folder knows it by name.
import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { operations } from "../../src/categories/index.ts";
import { isWrite } from "../../src/contracts/operation.ts";
import { providers } from "../../src/providers/registry.gen.ts";

const root = join(import.meta.dirname, "../../src");
const sdkRoot = join(import.meta.dirname, "../../sdk/src");

/** The files of a folder by their paths in it, without tests. */
const read = (folder: string) =>
  new Map(
    globSync("**/*.ts", { cwd: folder })
      .filter((file) => !file.endsWith(".test.ts"))
      .map((file) => [file, readFileSync(join(folder, file), "utf8")]),
  );
const sources = read(root);
const files = [...sources.keys()];
const sdkSources = read(sdkRoot);

/**
 * What each part may import of ours, beside itself: the table in docs/architecture.md. The server, the commands and files
 * right in `src` may import everything.
 */
const documented = readFileSync(join(root, "../docs/architecture.md"), "utf8");
const allowed = Object.fromEntries(
  [...documented.matchAll(/^\| `([a-z-]+)(?:\/<id>)?` \| (.+) \|$/gm)].map(([, part, names]) => [
    part!,
    [...names!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!),
  ]),
);
/** The folders of the engine, from the bottom up: each may import those before it. */
const ENGINE_FLOORS = ["http", "custom-fields", "connection", "operation", "hooks"];

const mayImportEverything = (part: string) => ["commands", "server"].includes(part) || part.endsWith(".ts");
const partOf = (file: string) => file.split("/")[0]!;
const providerOf = (file: string) => file.split("/")[1]!;

const importsOf = (file: string) => importsIn(sources, file);

function importsIn(folder: ReadonlyMap<string, string>, file: string): string[] {
  const specifiers = [...(folder.get(file) ?? "").matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"(\.[^"]+)"/g)].map(
    ([, path]) => path!,
  );
  return specifiers.map((specifier) => normalize(join(dirname(file), specifier)));
}

/** The first circle of imports that is found, type-only imports included. */
function findCycle(imports: (file: string) => string[], from: readonly string[]): string[] | undefined {
  const done = new Set<string>();
  const path: string[] = [];
  function visit(file: string): string[] | undefined {
    if (done.has(file)) return undefined;
    const start = path.indexOf(file);
    if (start >= 0) return [...path.slice(start), file];
    path.push(file);
    for (const imported of imports(file)) {
      const cycle = visit(imported);
      if (cycle) return cycle;
    }
    path.pop();
    done.add(file);
    return undefined;
  }
  for (const file of from) {
    const cycle = visit(file);
    if (cycle) return cycle;
  }
  return undefined;
}

/** A file without its comments: string literals on one side, the rest of the code on the other. */
function split(source: string): { literals: string; code: string } {
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
      // An attribute of SVG.
      .replaceAll("viewBox", "")
      // The name of a way to authenticate.
      .replaceAll("github_app", "")
      .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
      .toLowerCase()
      .split(/[^a-z0-9-]+/),
  );

/** Without the example of the docs, which may exist: it is also an example elsewhere. */
const providerIds = globSync("providers/*/manifest.ts", { cwd: root })
  .map((file) => file.split("/")[1]!)
  .filter((id) => id !== "acme");

/** Ids that are also plain English: in names of our own they mean the word, so only literals are searched for them. */
const plainWords = ["box", "close", "front", "linear", "monday"];

/** The id of a provider that is a protocol, which has a name in the core: it must not be compared with one. */
const protocols = ["mcp"];
const comparesWith = (id: string) =>
  new RegExp(`(?:\\bid|identifier|provider\\w*)\\)?\\s*[!=]==?\\s*["'\`]${id}["'\`]`);

describe("architecture", () => {
  it("nothing imports Node's HTTP module, which would load another HTTP client: see runtime/node-http.ts", () => {
    const importing = files.filter((file) =>
      /^import (?!type )[^;]*"node:http"|\bimport\("node:http"\)/m.test(sources.get(file)!),
    );
    expect(importing).toEqual([]);
  });

  it("every folder of src is listed among the import rules", () => {
    const parts = new Set(files.map(partOf));
    for (const part of parts) expect(mayImportEverything(part) || part in allowed, `src/${part}`).toBe(true);
  });

  it.each(Object.keys(allowed))("src/%s imports only what the rules allow", (part) => {
    const violations: string[] = [];
    for (const file of files.filter((name) => partOf(name) === part && !name.endsWith(".gen.ts")))
      for (const imported of importsOf(file)) {
        const from = partOf(imported);
        const own = part === "providers" ? providerOf(imported) === providerOf(file) : from === part;
        if (!own && !allowed[part]!.includes(from) && !allowed[part]!.includes(imported))
          violations.push(`${file} imports ${imported}`);
      }
    expect(violations).toEqual([]);
  });

  it("a provider's mappings do not use the kit of the emulators", () => {
    const violations = files
      .filter((file) => partOf(file) === "providers" && !/\/sandbox\/|evidence\.ts$|\.gen\.ts$/.test(file))
      .filter((file) =>
        importsOf(file).some((imported) => partOf(imported) === "emulator-kit" || /\/sandbox\//.test(imported)),
      );
    expect(violations).toEqual([]);
  });

  it("a provider's files import the kit, their own folder and node:crypto, and no package", () => {
    const violations = files
      .filter((file) => partOf(file) === "providers" && !file.endsWith(".gen.ts"))
      .flatMap((file) =>
        [...sources.get(file)!.matchAll(/^(?:import|export|\})(?:.*\bfrom)? "([^."][^"]*)";$/gm)].map(
          ([, name]) => `${file} imports ${name}`,
        ),
      )
      .filter((line) => !line.endsWith(" node:crypto"));
    expect(violations).toEqual([]);
  });

  it("package.json exports the entries that providers import", () => {
    const { exports } = JSON.parse(readFileSync(join(root, "../package.json"), "utf8"));
    expect(exports).toMatchObject({
      "./provider-kit": "./src/provider-kit/index.ts",
      "./provider-kit/sandbox": "./src/emulator-kit/index.ts",
      "./provider-kit/sandbox/graphql": "./src/emulator-kit/graphql.ts",
    });
    for (const entry of allowed.providers!) expect(Object.values(exports)).toContain(`./src/${entry}`);
  });

  it("a provider's writes are in its writes.ts", async () => {
    const elsewhere: string[] = [];
    for (const { manifest, categories } of providers)
      for (const { id, category, name } of operations.filter(({ kind }) => isWrite(kind))) {
        const write = categories.find((one) => one.category === category)?.operations[name];
        if (!write) continue;
        const { writes = {} } = files.includes(`providers/${manifest.id}/writes.ts`)
          ? await import(join(root, `providers/${manifest.id}/writes.ts`))
          : {};
        if (writes[name] !== write) elsewhere.push(`${manifest.id} ${id}`);
      }
    expect(elsewhere).toEqual([]);
  });

  it("surfaces import no other surface, only surfaces/shared", () => {
    const violations = files
      .filter((file) => partOf(file) === "surfaces")
      .flatMap((file) => importsOf(file).map((imported) => ({ file, imported })))
      .filter(({ imported }) => partOf(imported) === "surfaces")
      .filter(({ file, imported }) => ![file.split("/")[1], "shared"].includes(imported.split("/")[1]))
      .map(({ file, imported }) => `${file} imports ${imported}`);
    expect(violations).toEqual([]);
  });

  it("the engine's parts import only those below them: index, hooks, operation, connection, custom-fields, http", () => {
    const floorOf = (file: string) => {
      const [, folder = ""] = file.split("/");
      if (folder === "signed.ts") return -1;
      return folder.endsWith(".ts") ? ENGINE_FLOORS.length : ENGINE_FLOORS.indexOf(folder);
    };
    const violations = files
      .filter((file) => partOf(file) === "engine")
      .flatMap((file) => importsOf(file).map((imported) => ({ file, imported })))
      .filter(({ file, imported }) => partOf(imported) === "engine" && floorOf(imported) > floorOf(file))
      .map(({ file, imported }) => `${file} imports ${imported}`);
    expect(violations).toEqual([]);
  });

  it("no imports go in a circle, type-only imports included", () => {
    expect(findCycle(importsOf, files)).toBeUndefined();
  });

  it("the SDK's files import only one another, and not in a circle", () => {
    const imports = (file: string) => importsIn(sdkSources, file);
    expect([...sdkSources.keys()].flatMap(imports).filter((file) => !sdkSources.has(file))).toEqual([]);
    expect(findCycle(imports, [...sdkSources.keys()])).toBeUndefined();
  });

  it("the search for circles finds one", () => {
    const imports: Record<string, string[]> = { a: ["b"], b: ["c", "d"], c: [], d: ["b"] };
    expect(findCycle((file) => imports[file]!, ["a"])).toEqual(["b", "d", "b"]);
  });

  it("providers open no socket", () => {
    const sockets = files
      .filter((file) => partOf(file) === "providers")
      .filter((file) => /\bfetch\(|"(?:node:)?(?:https?|http2|net|tls|dgram|undici)"/.test(sources.get(file)!));
    expect(sockets).toEqual([]);
  });

  it("providers wait with the sleep of their context, not with timers of their own", () => {
    const timers = files
      .filter((file) => partOf(file) === "providers")
      .filter((file) => /\bset(?:Timeout|Interval|Immediate)\b|"(?:node:)?timers/.test(sources.get(file)!));
    expect(timers).toEqual([]);
  });

  it("no core file names a provider", () => {
    expect(providerIds.length).toBeGreaterThan(0);
    const named: string[] = [];
    for (const file of files.filter((name) => partOf(name) !== "providers")) {
      const { literals, code } = split(sources.get(file)!);
      const inLiterals = wordsOf(literals);
      const inCode = wordsOf(code);
      for (const id of protocols) if (comparesWith(id).test(sources.get(file)!)) named.push(`${file} names ${id}`);
      for (const id of providerIds.filter((one) => !protocols.includes(one)))
        if (inLiterals.has(id) || (inCode.has(id) && !plainWords.includes(id))) named.push(`${file} names ${id}`);
    }
    expect(named).toEqual([]);
  });

  it("the search for the id of a protocol finds a comparison, and not its name", () => {
    for (const text of ['identifier === "mcp"', "manifest.id !== 'mcp'", 'providerId == "mcp"'])
      expect(text).toMatch(comparesWith("mcp"));
    for (const text of ['to === "mcp"', 'requires: "mcp"', "/mcp"]) expect(text).not.toMatch(comparesWith("mcp"));
  });

  it("the search for provider names looks at literals and code, not at comments", () => {
    const { literals, code } = split(
      '// github\nconst isGithub = id === "git-hub"; /* gitlab */ url("https://gitea.com");',
    );
    expect(wordsOf(code)).toContain("github");
    expect(wordsOf(literals)).toContain("gitea");
    expect([...wordsOf(code), ...wordsOf(literals)]).not.toContain("gitlab");
  });

  it("docs/decisions.md gives a reason for each dependency", () => {
    const folder = join(root, "..");
    const { dependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const decisions = readFileSync(join(folder, "docs/decisions.md"), "utf8");
    const listed = [...decisions.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, names]) => names!.split(", "));
    expect(Object.keys(dependencies).filter((name) => !listed.includes(name))).toEqual([]);
  });
});
