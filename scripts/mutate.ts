// Changes the code in one small place at a time and looks whether a test fails: npm run mutate -- src/events --count 100
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { parseAst } from "rolldown/parseAst";

const { values, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    /** Of the chosen mutants only these, by number: 0-9,23 */
    only: { type: "string" },
    /** Tests that a mutant has to survive as well, after those of its own folder. */
    also: { type: "string", multiple: true, default: [] },
  },
});
if (folders.length === 0) throw new Error("name the folders: npm run mutate -- src/events --count 100");

const MAX_UNCHANGED_MS = 600_000;

interface Mutant {
  file: string;
  start: number;
  end: number;
  text: string;
}
// biome-ignore lint/suspicious/noExplicitAny: nodes of any kind are walked
type Node = any;

const OPERATORS: Record<string, string> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
  "&&": "||",
  "||": "&&",
  "??": "&&",
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
};

/** The changes that can be made at a node. */
function* changesAt(node: Node, source: string): Generator<Omit<Mutant, "file">> {
  const of = ({ start, end }: Node) => source.slice(start, end);
  switch (node.type) {
    case "BinaryExpression":
    case "LogicalExpression": {
      const other = OPERATORS[node.operator];
      const isText = [node.left, node.right].some(
        ({ type, value }) => type.startsWith("Template") || typeof value === "string",
      );
      if (!other || (node.operator === "+" && isText)) return;
      const start = source.indexOf(node.operator, node.left.end);
      yield { start, end: start + node.operator.length, text: other };
      return;
    }
    case "UnaryExpression":
      if (node.operator === "!") yield { start: node.start, end: node.end, text: of(node.argument) };
      return;
    case "UpdateExpression":
      yield {
        start: node.start,
        end: node.end,
        text: of(node).replace(/\+\+|--/, (sign) => (sign === "++" ? "--" : "++")),
      };
      return;
    case "IfStatement":
    case "ConditionalExpression":
      for (const text of ["true", "false"]) yield { start: node.test.start, end: node.test.end, text };
      return;
    case "Literal":
      // Not the large ones: limits and times, of which one more is as good.
      if (typeof node.value === "number" && node.value < 3)
        yield { start: node.start, end: node.end, text: String(node.value + 1) };
      if (typeof node.value === "boolean") yield { start: node.start, end: node.end, text: String(!node.value) };
      return;
    case "ExpressionStatement":
      if (!node.directive) yield { start: node.start, end: node.end, text: ";" };
      return;
    default:
  }
}

function* walk(node: Node, source: string): Generator<Omit<Mutant, "file">> {
  if (Array.isArray(node)) {
    for (const each of node) yield* walk(each, source);
    return;
  }
  if (typeof node?.type !== "string" || node.type.startsWith("TS") || node.type === "ImportDeclaration") return;
  yield* changesAt(node, source);
  for (const value of Object.values(node)) if (typeof value === "object") yield* walk(value, source);
}

function mutantsOf(file: string): Mutant[] {
  const source = readFileSync(file, "utf8");
  return [...walk(parseAst(source, { lang: "ts" }).body, source)].map((mutant) => ({ file, ...mutant }));
}

/** The same choice for the same seed. */
function choose<Item>(from: Item[], count: number, seed: number): Item[] {
  const rest = [...from];
  let state = seed;
  const chosen: Item[] = [];
  while (chosen.length < count && rest.length > 0) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    chosen.push(...rest.splice(state % rest.length, 1));
  }
  return chosen;
}

const root = join(import.meta.dirname, "..");
const copy = mkdtempSync(join(tmpdir(), "plugboard-mutants-"));
cpSync(root, copy, { recursive: true, filter: (path) => !/^(node_modules|\.git|data)$/.test(basename(path)) });
symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
process.on("exit", () => rmSync(copy, { recursive: true, force: true }));

/** Whether a test fails. A change may also make one run without end. */
async function fails(tests: string[], maxMs: number): Promise<boolean> {
  const args = ["node_modules/vitest/vitest.mjs", "run", "--bail=1", "--maxWorkers=1", "--passWithNoTests", ...tests];
  const child = spawn(process.execPath, args, { cwd: copy, stdio: "ignore", detached: true });
  // With all processes that it has started.
  const end = () => process.kill(-child.pid!, "SIGKILL");
  const timer = setTimeout(end, maxMs);
  const [code] = await once(child, "exit");
  clearTimeout(timer);
  return code !== 0;
}

const files = folders
  .flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }))
  .filter((file) => !file.includes(".test.") && !file.includes(".gen."));
const all = files.flatMap((file) => mutantsOf(join(root, file)).map((mutant) => ({ ...mutant, file })));
const isAskedFor = (index: number) =>
  values.only?.split(",").some((range) => {
    const [from, to = from] = range.split("-").map(Number);
    return index >= from! && index <= to!;
  }) ?? true;
const chosen = [...choose(all, Number(values.count), Number(values.seed)).entries()].filter(([index]) =>
  isAskedFor(index),
);
console.log(`${chosen.length} of ${all.length} possible mutants in ${files.length} files`);

const startedAt = performance.now();
if (await fails([...folders, ...values.also], MAX_UNCHANGED_MS)) throw new Error("the tests fail without a change");
const maxMs = 3 * (performance.now() - startedAt) + 10_000;

let killed = 0;
for (const [index, { file, start, end, text }] of chosen) {
  const source = readFileSync(join(root, file), "utf8");
  writeFileSync(join(copy, file), source.slice(0, start) + text + source.slice(end));
  const beside = file.replace(/\.ts$/, ".test.ts");
  // The nearest tests first: most mutants fail there.
  const nearest = [
    existsSync(join(root, beside)) ? beside : "",
    dirname(file),
    folders.join(" "),
    values.also.join(" "),
  ];
  const steps = [...new Set(nearest)].filter(Boolean);
  let isKilled = false;
  for (const tests of steps) isKilled ||= await fails(tests.split(" "), maxMs);
  writeFileSync(join(copy, file), source);
  if (isKilled) killed++;
  const line = source.slice(0, start).split("\n").length;
  const change = `${JSON.stringify(source.slice(start, end))} → ${JSON.stringify(text)}`;
  console.log(`${index} ${isKilled ? "killed" : "survived"}: ${file}:${line} ${change}`);
}
console.log(`${killed} of ${chosen.length} killed (${Math.round((100 * killed) / chosen.length)} %)`);
