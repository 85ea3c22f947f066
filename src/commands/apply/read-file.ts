import { readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { Ajv, type ValidateFunction } from "ajv";
import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, visit } from "yaml";
import type { Problem } from "../../contracts/fault.ts";
import { checkDocument } from "../../provider-document/read.ts";
import { checkOptions, schemaProblems } from "../../surfaces/platform/validation.ts";
import { UsageError } from "../usage.ts";
import { type Fields, fileSchema, type Kind, kinds, type Section } from "./kinds.ts";
import { type Resolved, resolveReferences, type Sources } from "./references.ts";

const MAX_BYTES = 2 * 1024 * 1024;

/** Something that is wrong with the file, and where. */
export interface FileProblem {
  line: number;
  column: number;
  /** Such as `integrations[0].type`; empty for the file as a whole. */
  field: string;
  message: string;
}

/** What is wrong with the file, all of it together. */
export class InvalidFile extends Error {
  readonly problems: FileProblem[];

  constructor(problems: FileProblem[]) {
    super("the file is invalid");
    this.problems = problems;
  }
}

/** One thing that the file wants there to be. */
export interface Entry extends Resolved {
  kind: Kind;
  /** What the file calls it. */
  name: string;
  /** In the file: `["integrations", "0"]`. */
  path: string[];
}

export interface ConfigFile {
  /** By section; undefined if the file does not have it. */
  entries(section: Section): Entry[] | undefined;
  /** Throws if there are problems, with their places. */
  refuse(problems: Problem[]): void;
}

/** Reads and checks the file, without the service. */
export async function readConfigFile(file: string, env: Sources["env"]): Promise<ConfigFile> {
  const lines = new LineCounter();
  const document = parse(file, lines);
  const place = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const faults = [...document.errors, ...document.warnings];
  if (faults.length > 0)
    throw new InvalidFile(
      faults.map((fault) => ({ ...place(fault.pos[0]), field: "", message: syntaxMessage(fault) })),
    );

  const content = toPlainValue(document);
  const refuse = (problems: Problem[]) => {
    if (problems.length === 0) return;
    const toFileProblem = ({ path, message }: Problem) => ({
      ...place(offsetOf(document, path)),
      field: describePath(path),
      message: withHint(message, at(content, path)),
    });
    throw new InvalidFile(problems.map(toFileProblem));
  };
  if (content instanceof AliasProblem)
    throw new InvalidFile([{ ...place(content.offset), field: "", message: content.message }]);
  const found: Problem[] = [];
  const entries = entriesOf(content, { env, folder: dirname(file) }, found);
  found.push(...schemaErrors(withEntries(content, entries)));
  // Without the fields that make up their names, entries would look alike.
  if (found.length === 0) found.push(...duplicates(entries));
  for (const { kind, path, entry } of entries)
    if (kind.section === "providers")
      found.push(...(await checkDocument(entry)).map((one) => ({ ...one, path: [...path, ...one.path] })));
  refuse(found);
  return {
    entries: (section) =>
      Object.hasOwn(content as object, section) ? entries.filter(({ kind }) => kind.section === section) : undefined,
    refuse,
  };
}

function parse(file: string, lineCounter: LineCounter): Document.Parsed {
  let text: string;
  try {
    if (statSync(file).size > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES / 1024 / 1024} MB`);
    text = readFileSync(file, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(`cannot read ${file}: ${code ?? message}`);
  }
  try {
    // Without the lines of the file in messages: they may have secrets.
    return parseDocument(text, { lineCounter, prettyErrors: false, stringKeys: true });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new InvalidFile([{ line: 1, column: 1, field: "", message: "It is nested too deeply" }]);
  }
}

const NOT_YAML = "This is not valid YAML";

/** Instead of messages of the parser that quote the file, which may have secrets. */
const syntaxMessages: Record<string, string> = {
  UNEXPECTED_TOKEN: NOT_YAML,
  BAD_DIRECTIVE: NOT_YAML,
  BAD_PROP_ORDER: NOT_YAML,
  BAD_DQ_ESCAPE: "This escape sequence is not valid in YAML",
  BAD_COLLECTION_TYPE: "Tags are not supported",
  TAG_RESOLVE_FAILED: "Tags are not supported",
  NON_STRING_KEY: "The name of a field must be a text",
};

const syntaxMessage = ({ code, message }: { code: string; message: string }): string =>
  syntaxMessages[code] ?? message.split("\n", 1)[0]!;

/** What is wrong with the aliases of a file. */
class AliasProblem {
  readonly message: string;
  readonly offset: number;

  constructor(message: string, offset = 0) {
    this.message = message;
    this.offset = offset;
  }
}

/** The file as JSON would have it. */
function toPlainValue(document: Document.Parsed): unknown {
  try {
    return JSON.parse(JSON.stringify(document.toJS() ?? {}));
  } catch (error) {
    const { message } = error as Error;
    if (/^Excessive alias count/.test(message)) return new AliasProblem("There are too many aliases of aliases");
    const unset = unsetAlias(document, message);
    return unset === undefined
      ? new AliasProblem("An alias must not be inside of what it names")
      : new AliasProblem("There is no anchor of this name before the alias", unset);
  }
}

/** Where the first alias is that an error of the parser names at its end. */
function unsetAlias(document: Document.Parsed, message: string): number | undefined {
  let offset: number | undefined;
  visit(document, {
    Alias(_, { source, range }) {
      if (!message.endsWith(`: ${source}`)) return undefined;
      offset = range?.[0];
      return visit.BREAK;
    },
  });
  return offset;
}

const isObject = (value: unknown): value is Fields =>
  value !== null && typeof value === "object" && !Array.isArray(value);

function entriesOf(content: unknown, sources: Sources, found: Problem[]): Entry[] {
  if (!isObject(content)) return [];
  return kinds.flatMap((kind) => {
    const section = Object.hasOwn(content, kind.section) ? content[kind.section] : undefined;
    const isList = kind.section !== "workspace";
    const given = isList ? (Array.isArray(section) ? section : []) : [section];
    return given.flatMap((entry, index) => {
      if (!isObject(entry)) return [];
      const path = isList ? [kind.section, String(index)] : [kind.section];
      const report = (inner: string[], message: string) => void found.push({ path: [...path, ...inner], message });
      return { kind, path, name: kind.nameOf(entry), ...resolveReferences(kind, entry, sources, report) };
    });
  });
}

/** The content with the resolved entries. What is no list stays, for the schema to report. */
function withEntries(content: unknown, entries: Entry[]): unknown {
  if (!isObject(content)) return content;
  const copy = structuredClone(content);
  for (const { path, entry } of entries) {
    const [section, index] = path as [string, string?];
    if (index === undefined) copy[section] = entry;
    else (copy[section] as Fields[])[Number(index)] = entry;
  }
  return copy;
}

let validate: ValidateFunction | undefined;

function schemaErrors(content: unknown): Problem[] {
  validate ??= new Ajv(checkOptions).compile(fileSchema);
  if (validate(content)) return [];
  const found = schemaProblems({ validation: validate.errors });
  return found.map(({ path, message }) => ({ path: path[0] === "body" && path.length === 1 ? [] : path, message }));
}

/** Entries of one name, unless their ids tell them apart. */
function duplicates(entries: Entry[]): Problem[] {
  const seen = new Map<string, Entry>();
  return entries.flatMap((entry) => {
    const { kind, name, path } = entry;
    const key = JSON.stringify([kind.section, kind.byId && entry.entry.id, name]);
    const first = seen.get(key);
    if (!first) seen.set(key, entry);
    return first
      ? [{ path, message: `${kind.title} ${name} is in the file already: ${describePath(first.path)}` }]
      : [];
  });
}

/** Texts that look like something else are a common mistake in YAML. */
const withHint = (message: string, value: unknown): string =>
  /^Must be a string/.test(message) && ["number", "boolean"].includes(typeof value)
    ? `${message}; put it in quotes`
    : message;

const at = (value: unknown, path: string[]): unknown =>
  path.reduce<unknown>(
    (inner, part) => (isObject(inner) || Array.isArray(inner) ? (inner as Fields)[part] : undefined),
    value,
  );

const describePath = (path: string[]): string =>
  path.map((part, index) => (/^\d+$/.test(part) ? `[${part}]` : `${index > 0 ? "." : ""}${part}`)).join("");

/** Where a field is: its name, or the nearest one around it if the file does not have it. */
function offsetOf(document: Document.Parsed, path: string[]): number {
  let node: unknown = document.contents;
  let offset = (node as Node | null)?.range?.[0] ?? 0;
  for (const part of path) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === part);
      if (!pair) break;
      offset = (pair.key as Node).range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(part)];
      offset = (node as Node | undefined)?.range?.[0] ?? offset;
    } else break;
  }
  return offset;
}
