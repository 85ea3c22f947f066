// Reads Stone, the language of Dropbox's API description, as far as requests and responses need it.

export interface StoneType {
  /** A primitive, or a definition with its namespace: `files.Metadata`. */
  name: string;
  /** Named arguments, and unnamed ones by their index. */
  args: Record<string, string>;
  nullable?: boolean;
  /** Of the items of a list, or of the values of a map. */
  inner?: StoneType;
}

export interface StoneMember {
  /** Absent from a tag without a value. */
  type?: StoneType;
  required: boolean;
}

export interface StoneDefinition {
  kind: "struct" | "union" | "alias";
  parent?: string;
  /** Fields of a struct, or tags of a union. */
  members: Map<string, StoneMember>;
  /** Subtypes of a struct by tag. */
  subtypes?: Map<string, string>;
  /** Whether there may be tags that the description does not have. */
  open: boolean;
  /** What an alias stands for. */
  target?: StoneType;
}

export interface StoneRoute {
  argument: StoneType;
  result: StoneType;
  error: StoneType;
  style: string;
}

const PRIMITIVE = /^(String|Boolean|Bytes|Timestamp|Void|List|Map|U?Int(32|64)|Float(32|64))$/;

/** Splits at commas that are not inside brackets or quotes. */
function splitArguments(text: string): string[] {
  const parts = text.match(/(?:"(?:[^"\\]|\\.)*"|\((?:[^()"]|"(?:[^"\\]|\\.)*"|\([^()]*\))*\)|[^,"(])+/g) ?? [];
  return parts.map((part) => part.trim());
}

const unquote = (text: string) => (text.startsWith('"') ? text.slice(1, -1).replace(/\\(.)/g, "$1") : text);

const qualify = (name: string, namespace: string) =>
  PRIMITIVE.test(name) || name.includes(".") ? name : `${namespace}.${name}`;

function parseType(text: string, namespace: string): StoneType {
  const [, name = "", inside, nullable] = /^([\w.]+)(?:\((.*)\))?(\?)?$/s.exec(text.trim()) ?? [];
  if (!name) throw new Error(`not a Stone type: ${text}`);
  const parts = inside === undefined ? [] : splitArguments(inside);
  const type: StoneType = { name: qualify(name, namespace), args: {} };
  if (nullable) type.nullable = true;
  if (name === "List" || name === "Map") type.inner = parseType(parts[name === "List" ? 0 : 1]!, namespace);
  else
    for (const [index, part] of parts.entries()) {
      const [, key = String(index), value = ""] = /^(?:(\w+)\s*=\s*)?(.*)$/s.exec(part)!;
      type.args[key] = unquote(value);
    }
  return type;
}

const MEMBER = /^(\w+)(?:\s+([\w.]+(?:\(.*\))?\??))?(\s*=\s*.+)?$/;

function parseMember(line: string, namespace: string): [string, StoneMember] | undefined {
  const [, name, type, byDefault] = MEMBER.exec(line) ?? [];
  if (!name) return undefined;
  if (!type) return [name, { required: false }];
  const parsed = parseType(type, namespace);
  return [name, { type: parsed, required: !parsed.nullable && byDefault === undefined }];
}

export function parseStone(documents: readonly string[]) {
  const definitions = new Map<string, StoneDefinition>();
  const routes = new Map<string, StoneRoute>();
  for (const document of documents) parseDocument(document, definitions, routes);
  return { definitions, routes };
}

function parseDocument(
  document: string,
  definitions: Map<string, StoneDefinition>,
  routes: Map<string, StoneRoute>,
): void {
  // Texts for readers take whole lines.
  const lines = document.replace(/^\s+"(?:[^"\\]|\\.)*"\s*$/gm, "").split("\n");
  let namespace = "";
  let definition: StoneDefinition | undefined;
  let route: StoneRoute | undefined;
  /** The inner block of a definition: its subtypes, attributes, or an example. */
  let block = "";

  function begin(line: string): void {
    definition = undefined;
    route = undefined;
    const words = line.split(/\s+/);
    const [keyword = "", name = ""] = words;
    if (keyword === "namespace") namespace = name;
    else if (keyword === "alias") {
      const target = parseType(line.slice(line.indexOf("=") + 1), namespace);
      definitions.set(qualify(name, namespace), { kind: "alias", members: new Map(), open: false, target });
    } else if (keyword === "struct" || keyword.startsWith("union")) {
      definition = { kind: keyword === "struct" ? "struct" : "union", members: new Map(), open: keyword === "union" };
      if (words[2] === "extends") definition.parent = qualify(words[3]!, namespace);
      definitions.set(`${namespace}.${name}`, definition);
    } else if (keyword === "route") {
      const [, path = "", version, types = ""] = /^route ([\w/]+)(?::(\d+))? \((.*)\)/.exec(line) ?? [];
      const [argument, result, error] = splitArguments(types).map((type) => parseType(type, namespace));
      route = { argument: argument!, result: result!, error: error!, style: "rpc" };
      routes.set(`/${namespace}/${path}${version ? `_v${version}` : ""}`, route);
    }
  }

  function readMember(line: string): void {
    block = /^(example|attrs|union|union_closed)\b/.exec(line)?.[1] ?? "";
    if (definition?.kind === "struct" && block.startsWith("union")) {
      definition.subtypes = new Map();
      definition.open = block === "union";
    } else if (definition && block === "") {
      const member = parseMember(line, namespace);
      if (member) definition.members.set(...member);
    }
  }

  function readInner(line: string): void {
    const [name = "", type = ""] = line.split(/\s+/);
    if (definition?.subtypes && block.startsWith("union")) definition.subtypes.set(name, qualify(type, namespace));
    else if (route && block === "attrs" && name === "style")
      route.style = unquote(line.slice(line.indexOf("=") + 1).trim());
  }

  for (const text of lines) {
    const line = text.trim();
    if (line === "" || line.startsWith("#")) continue;
    const indent = text.search(/\S/);
    if (indent === 0) begin(line);
    else if (indent === 4) readMember(line);
    else readInner(line);
  }
}
