// The part of Go's template language that deploy/helm uses. Anything else is an error.

export type Operand =
  | { kind: "value"; value: unknown }
  /** `.Values.x`, `$name.x`; an empty variable is the dot. */
  | { kind: "field"; variable: string; path: string[] }
  | { kind: "pipeline"; pipeline: Pipeline };
/** One command after the other; each gets the result of the one before it as its last argument. */
export type Pipeline = { name: string | undefined; args: Operand[] }[];
export type Node =
  | { kind: "text"; text: string }
  | { kind: "print"; pipeline: Pipeline }
  | { kind: "set"; variable: string; pipeline: Pipeline }
  | { kind: "if" | "with"; pipeline: Pipeline; then: Node[]; otherwise: Node[] }
  | { kind: "range"; variables: string[]; pipeline: Pipeline; body: Node[] }
  | { kind: "define"; name: string; body: Node[] };

type Token = { kind: "text"; text: string } | { kind: "action"; text: string };

function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  let trimNext = false;
  for (const part of source.split(/(\{\{-?[\s\S]*?\}\})/)) {
    const [, left, text, right] = /^\{\{(- )?([\s\S]*?)( -)?\}\}$/.exec(part) ?? [];
    if (text === undefined) {
      tokens.push({ kind: "text", text: trimNext ? part.trimStart() : part });
      continue;
    }
    const before = tokens.at(-1);
    if (left && before?.kind === "text") before.text = before.text.trimEnd();
    trimNext = Boolean(right);
    if (!text.trim().startsWith("/*")) tokens.push({ kind: "action", text: text.trim() });
  }
  return tokens;
}

export function parseTemplate(source: string): Node[] {
  const tokens = tokenize(source);
  let position = 0;

  /** Up to `end` or `else`, which is returned too. */
  function parseBlock(): { nodes: Node[]; end: string } {
    const nodes: Node[] = [];
    while (position < tokens.length) {
      const { kind, text } = tokens[position++]!;
      if (kind === "text") nodes.push({ kind, text });
      else if (text === "end" || text === "else") return { nodes, end: text };
      else nodes.push(parseAction(text));
    }
    return { nodes, end: "" };
  }

  function parseAction(text: string): Node {
    const [, word = "", rest = ""] = /^(if|with|range|define)\s+([\s\S]*)$/.exec(text) ?? [];
    if (word === "if" || word === "with") {
      const { nodes: then, end } = parseBlock();
      const otherwise = end === "else" ? parseBlock().nodes : [];
      return { kind: word, pipeline: parsePipeline(rest), then, otherwise };
    }
    if (word === "range") {
      const [, names = "", list = rest] = /^((?:\$\w+(?:, )?)+) := ([\s\S]*)$/.exec(rest) ?? [];
      const variables = names.split(", ").filter(Boolean);
      return { kind: "range", variables, pipeline: parsePipeline(list), body: parseBlock().nodes };
    }
    if (word === "define") return { kind: "define", name: JSON.parse(rest), body: parseBlock().nodes };
    const [, variable, value] = /^(\$\w+) := ([\s\S]*)$/.exec(text) ?? [];
    if (variable) return { kind: "set", variable, pipeline: parsePipeline(value!) };
    return { kind: "print", pipeline: parsePipeline(text) };
  }

  const { nodes, end } = parseBlock();
  if (end) throw new Error(`{{ ${end} }} without a beginning`);
  return nodes;
}

const WORD = /\s*("(?:[^"\\]|\\.)*"|\||\(|\)|\$?\w*(?:\.\w+)+|\$\w*|\.|-?\d+|\w+)/y;

function parsePipeline(source: string): Pipeline {
  const words: string[] = [];
  WORD.lastIndex = 0;
  for (let found = WORD.exec(source); found; found = WORD.exec(source)) words.push(found[1]!);
  const rest = source.replaceAll(/\s/g, "");
  if (words.map((word) => word.replaceAll(/\s/g, "")).join("") !== rest) throw new Error(`cannot read {{ ${source} }}`);
  let position = 0;

  function parse(): Pipeline {
    const commands: Pipeline = [{ name: undefined, args: [] }];
    while (position < words.length) {
      const word = words[position++]!;
      if (word === ")") break;
      const command = commands.at(-1)!;
      if (word === "|") commands.push({ name: undefined, args: [] });
      else if (word === "(") command.args.push({ kind: "pipeline", pipeline: parse() });
      else if (/^["\d-]/.test(word)) command.args.push({ kind: "value", value: JSON.parse(word) });
      else if (/^[.$]/.test(word)) {
        const [variable = "", ...path] = word.split(".");
        command.args.push({ kind: "field", variable, path: path.filter(Boolean) });
      } else if (command.name === undefined && command.args.length === 0) command.name = word;
      else throw new Error(`cannot read {{ ${source} }}: ${word}`);
    }
    return commands;
  }
  return parse();
}
