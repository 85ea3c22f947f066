// JavaScript of the docs, run as it is written there.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const AsyncFunction = (async () => {}).constructor as new (
  ...parts: string[]
) => (...values: unknown[]) => Promise<any>;

export interface DocCode {
  text: string;
  /** What it imports, in this order. */
  packages: string[];
}

/** The blocks of a page that begin with an import. */
export function codeOf(page: string): DocCode[] {
  const markdown = readFileSync(join(import.meta.dirname, "../..", page), "utf8");
  return [...markdown.matchAll(/```js\n(import [\s\S]*?)```/g)].map(([, text]) => ({
    text: text!,
    packages: [...text!.matchAll(/^import .* from "(.+)";$/gm)].map(([, name]) => name!),
  }));
}

/** Imports as calls of `load`, because the code runs as a function, which takes its surroundings as parameters. */
const withoutImports = (text: string) =>
  text
    .replace(
      /^import \{(.+)\} from "(.+)";$/gm,
      (_, names: string, from) => `const {${names.replaceAll(" as ", ": ")}} = await load("${from}");`,
    )
    .replace(/^import (\w+) from "(.+)";$/gm, 'const { default: $1 } = await load("$2");');

/** Runs a block, and returns the constant that it defines last. */
export async function runCode(
  { text }: DocCode,
  { load, ...surroundings }: { load(name: string): Promise<unknown> } & Record<string, unknown>,
): Promise<any> {
  const last = [...text.matchAll(/^const (\w+) = /gm)].at(-1)?.[1];
  const run = new AsyncFunction("load", ...Object.keys(surroundings), `${withoutImports(text)}\nreturn ${last};`);
  return run(load, ...Object.values(surroundings));
}
