// How the scaffold writes types: as TypeScript, or as JavaScript with types in comments.

const LINE = 120;

/** As Biome sorts names: letter by letter, a capital before its small letter. */
function compareNames(one: string, other: string): number {
  const keys = (name: string) => [...name].map((letter) => letter.toLowerCase() + (letter < "a" ? "0" : "1")).join("");
  return keys(one) < keys(other) ? -1 : 1;
}

/** What is imported, by module: its default export, values and types. */
type Imports = Record<string, { all?: string; names?: string[]; types?: string[] }>;

export interface Language {
  ending: "ts" | "js";
  imports(imports: Imports): string;
  /** A type of its own, with one line for each field. */
  shape(name: string, fields: Record<string, string>): string;
  /** A parameter of a function. */
  parameter(name: string, type: string): string;
  /** A constant in a function. */
  variable(name: string, type: string, value: string): string;
  /** An exported constant with a type. */
  constant(name: string, type: string, value: string): string;
  /** An exported function of one parameter. */
  mapper(name: string, parameter: string, from: string, to: string, body: string): string;
  /** A default export whose type is checked, and kept as it is. */
  checked(value: string, type: string): string;
  /** An expression of TypeScript in this language. */
  expression(text: string): string;
}

function importLine(names: string[], from: string): string {
  const line = `import { ${names.join(", ")} } from "${from}";\n`;
  return line.length <= LINE + 1
    ? line
    : `import {\n${names.map((name) => `  ${name},\n`).join("")}} from "${from}";\n`;
}

const defaultImport = (all: string | undefined, from: string) => (all ? `import ${all} from "${from}";\n` : "");
const bare = (name: string) => name.replace(/^type /, "");
const sorted = (names: string[]) => names.toSorted((one, other) => compareNames(bare(one), bare(other)));

export const typescript: Language = {
  ending: "ts",
  imports: (imports) =>
    Object.entries(imports)
      .map(([from, { all, names = [], types = [] }]) => {
        if (all) return defaultImport(all, from);
        if (names.length === 0) return importLine(sorted(types), from).replace("import {", "import type {");
        return importLine(sorted([...names, ...types.map((name) => `type ${name}`)]), from);
      })
      .join(""),
  shape: (name, fields) =>
    `export interface ${name} {\n${Object.entries(fields)
      .map(([field, type]) => `  ${field}: ${type};\n`)
      .join("")}}\n`,
  parameter: (name, type) => `${name}: ${type}`,
  variable: (name, type, value) => `const ${name}: ${type} = ${value};`,
  constant: (name, type, value) => `export const ${name}: ${type} = ${value};\n`,
  mapper: (name, parameter, from, to, body) => `export const ${name} = (${parameter}: ${from}): ${to} => (${body});\n`,
  checked: (value, type) => `export default ${value} satisfies ${type};\n`,
  expression: (text) => text,
};

export const javascript: Language = {
  ending: "js",
  imports(imports) {
    const entries = Object.entries(imports);
    const values = entries.map(([from, { all, names }]) =>
      names?.length ? importLine(sorted(names), from) : defaultImport(all, from),
    );
    const types = entries.map(([from, { types }]) =>
      types?.length ? `/** @import { ${sorted(types).join(", ")} } from "${from}" */\n` : "",
    );
    return [values.join(""), types.join("")].filter(Boolean).join("\n");
  },
  shape: (name, fields) =>
    `/**\n * @typedef {object} ${name}\n${Object.entries(fields)
      .map(([field, type]) => ` * @property {${type}} ${field}\n`)
      .join("")} */\n`,
  parameter: (name, type) => `/** @type {${type}} */ ${name}`,
  variable: (name, type, value) => `const ${name} = /** @type {${type}} */ (${value});`,
  constant: (name, type, value) => `/** @type {${type}} */\nexport const ${name} = ${value};\n`,
  mapper: (name, parameter, from, to, body) =>
    `/** @type {(${parameter}: ${from}) => ${to}} */\nexport const ${name} = (${parameter}) => (${body});\n`,
  checked: (value, type) => `export default /** @satisfies {${type}} */ (${value});\n`,
  expression: (text) => text.replaceAll("]!", "]"),
};
