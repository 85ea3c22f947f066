// Renders deploy/helm without Helm. Where Helm is installed, a test compares the two.
import { hash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { dump, load, loadAll } from "js-yaml";
import { type Node, type Operand, type Pipeline, parseTemplate } from "./template-parser.ts";

type Values = Record<string, any>;
export const chart = join(import.meta.dirname, "../../../deploy/helm");
const read = (file: string) => readFileSync(join(chart, file), "utf8");

/** Go's maps are walked in the order of their keys. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, entry]) => [key, sorted(entry)]),
  );
}

const isTrue = (value: unknown): boolean =>
  typeof value === "object" && value !== null ? Object.keys(value).length > 0 : Boolean(value);
const indent = (count: number, text: string) => text.replaceAll(/^/gm, " ".repeat(count));

const functions: Record<string, (...args: any[]) => unknown> = {
  default: (fallback, given) => (isTrue(given) ? given : fallback),
  eq: (one, other) => one === other,
  list: (...entries) => entries,
  nindent: (count: number, text: string) => `\n${indent(count, text)}`,
  printf: (format: string, ...args) => format.replaceAll("%s", () => String(args.shift())),
  quote: (value) => JSON.stringify(String(value)),
  required(message: string, value) {
    if (!isTrue(value)) throw new Error(message);
    return value;
  },
  sha256sum: (text: string) => hash("sha256", text),
  toJson: (value) => JSON.stringify(sorted(value)),
  toYaml: (value) => dump(sorted(value), { lineWidth: -1 }).trimEnd(),
  trimPrefix: (prefix: string, text: string) => (text.startsWith(prefix) ? text.slice(prefix.length) : text),
  trimSuffix: (suffix: string, text: string) => (text.endsWith(suffix) ? text.slice(0, -suffix.length) : text),
  trunc: (count: number, text: string) => text.slice(0, count),
};

/** The values of the chart with others over them, as Helm merges them. */
function merge(base: unknown, over: unknown): unknown {
  const isMap = (value: unknown): value is Values =>
    typeof value === "object" && value !== null && !Array.isArray(value);
  if (over === undefined) return base;
  if (!isMap(base) || !isMap(over)) return over;
  const keys = [...Object.keys(base), ...Object.keys(over)];
  return Object.fromEntries(keys.map((key) => [key, merge(base[key], over[key])]));
}

export const defaultValues = () => load(read("values.yaml")) as Values;

/** The objects by the file of their template, and the notes. */
export function renderChart(given: Values, releaseName = "plugboard"): { objects: Values[]; notes: string } {
  const { name: Name, version: Version, appVersion: AppVersion } = load(read("Chart.yaml")) as Values;
  const root = {
    Values: merge(defaultValues(), given),
    Chart: { Name, Version, AppVersion },
    Release: { Name: releaseName, Service: "Helm", Namespace: "default" },
  };
  const defined = new Map<string, Node[]>();
  const files = globSync("templates/*", { cwd: chart }).sort();
  const parsed = new Map(files.map((file) => [file, parseTemplate(read(file))]));
  for (const node of [...parsed.values()].flat()) if (node.kind === "define") defined.set(node.name, node.body);

  const render = (nodes: Node[], dot: unknown, outer: Values): string => {
    const variables = Object.create(outer) as Values;
    return nodes.map((node) => renderNode(node, dot, variables)).join("");
  };

  function renderNode(node: Node, dot: unknown, variables: Values): string {
    if (node.kind === "text") return node.text;
    if (node.kind === "define") return "";
    const value = evaluate(node.pipeline, dot, variables);
    if (node.kind === "print") return String(value);
    if (node.kind === "set") {
      variables[node.variable] = value;
      return "";
    }
    if (node.kind === "range")
      return Object.entries(sorted(value) as Values)
        .map(([key, entry]) => {
          const [first, second] = node.variables;
          const own = second ? { [first!]: key, [second]: entry } : first ? { [first]: entry } : {};
          return render(node.body, entry, Object.assign(Object.create(variables), own));
        })
        .join("");
    const inner = node.kind === "with" && isTrue(value) ? value : dot;
    return render(isTrue(value) ? node.then : node.otherwise, inner, variables);
  }

  function evaluate(pipeline: Pipeline, dot: unknown, variables: Values): unknown {
    const operand = (given: Operand): unknown => {
      if (given.kind === "value") return given.value;
      if (given.kind === "pipeline") return evaluate(given.pipeline, dot, variables);
      const start = given.variable === "" ? dot : given.variable === "$" ? root : variables[given.variable];
      return given.path.reduce((object: any, key) => object?.[key], start);
    };
    return pipeline.reduce((before: unknown, { name, args }, index) => {
      const given = [...args.map(operand), ...(index > 0 ? [before] : [])];
      if (name === undefined) return given[0];
      if (name === "include") return render(defined.get(given[0] as string)!, given[1], {});
      const call = functions[name];
      if (!call) throw new Error(`the template function ${name} is not known here`);
      return call(...given);
    }, undefined);
  }

  const texts = files.map((file) => ({ file, text: render(parsed.get(file)!, root, {}) }));
  const manifests = texts.filter(({ file }) => file.endsWith(".yaml"));
  return {
    objects: manifests.flatMap(({ file, text }) => loadAll(text, { filename: file }) as Values[]).filter(Boolean),
    notes: texts.find(({ file }) => file.endsWith("NOTES.txt"))!.text,
  };
}
