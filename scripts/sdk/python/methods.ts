// Python methods: one class for each group of them, for the client that blocks and for the one of asyncio.
import { pascalCase, snakeCase } from "../schema.ts";
import { docstring, safeName, sentence } from "./types.ts";

export interface Parameter {
  /** In the API. */
  name: string;
  type: string;
  isRequired: boolean;
  about?: string | undefined;
}

export interface Method {
  /** `["git", "issues", "list"]` */
  place: string[];
  about: string;
  method: string;
  /** With `{}` for each value. */
  path: string;
  /** Values of the path, and the content of an upload. */
  positional: { name: string; type: string }[];
  query: Parameter[];
  /** The fields of the body; a type if it is no object with fields. */
  body: Parameter[] | undefined;
  /** Parameters of the SDK itself, with their default values. */
  own: { name: string; type: string; value: string; about: string }[];
  returns: { kind: "list"; type: string; paging: string } | { kind: "record"; type: string } | { kind: "download" };
}

/** One of the two clients. */
export interface Client {
  prefix: "" | "Async";
  /** How the result of a call is waited for. */
  wait: "" | "await ";
}

export const clients: Client[] = [
  { prefix: "", wait: "" },
  { prefix: "Async", wait: "await " },
];

const methodName = (place: string[]) => safeName(snakeCase(place.at(-1)!));

function signature({ place, positional, query, body = [], own }: Method): string {
  const keywords = [...query, ...body].toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired));
  const names = [...positional, ...keywords, ...own].map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice) throw new Error(`Python SDK: ${place.join(".")} has two parameters named ${twice}`);
  const parameters = [
    ...keywords.map(({ name, type, isRequired }) => `${safeName(name)}: ${type}${isRequired ? "" : " = OMIT"}`),
    ...own.map(({ name, type, value }) => `${name}: ${type} = ${value}`),
  ];
  const values = positional.map(({ name, type }) => `${safeName(name)}: ${type}`);
  return ["self", ...values, ...(parameters.length > 0 ? ["*"] : []), ...parameters].join(", ");
}

function documentation({ about, query, body = [], own }: Method): string {
  const described = [...query, ...body, ...own].filter((parameter) => parameter.about);
  const lines = described.map(
    ({ name, about: text }) => `            ${safeName(name)}: ${sentence(text!.replaceAll(/\s+/g, " "))}\n`,
  );
  const list = lines.length > 0 ? `\n\n        Args:\n${lines.join("")}        ` : "";
  return docstring(`${sentence(about)}${list}`, "        ").replace(
    /\s*"""\n$/,
    lines.length > 0 ? '\n        """\n' : '"""\n',
  );
}

const dictionary = (parameters: Parameter[]) =>
  `{${parameters.map(({ name }) => `${JSON.stringify(name)}: ${safeName(name)}`).join(", ")}}`;

function call(method: Method): string {
  const { positional, query, body, own, returns } = method;
  const values = positional.filter(({ name }) => name !== "content").map(({ name }) => safeName(name));
  const path = `to_path(${[JSON.stringify(method.path), ...values].join(", ")})`;
  const names = own.map(({ name }) => `${name}=${name}`);
  if (returns.kind === "download") return `self._calls.download(${path})`;
  if (returns.kind === "list") {
    const paging = returns.paging === "after" ? [] : [`paging=${JSON.stringify(returns.paging)}`];
    return `self._calls.list(${[path, dictionary(query), ...paging, ...names].join(", ")})`;
  }
  const parts = [
    ...(query.length > 0 ? [`query=${dictionary(query)}`] : []),
    ...(body ? [`body=${dictionary(body)}`] : []),
    ...(positional.some(({ name }) => name === "content") ? ["content=content"] : []),
    ...names,
  ];
  const given = parts.length > 0 ? [`Parts(${parts.join(", ")})`] : [];
  return `self._calls.call(${[JSON.stringify(method.method), path, ...given].join(", ")})`;
}

function methodCode(method: Method, { prefix, wait }: Client): string {
  const { returns } = method;
  const isList = returns.kind === "list";
  const types = {
    list: () => `${prefix}List[${(returns as { type: string }).type}]`,
    download: () => `${prefix}StreamedResponse`,
    record: () => (returns as { type: string }).type,
  };
  const content = (text: string) => (prefix ? text.replace(": Content", ": AsyncContent") : text);
  const define = prefix && !isList ? "async def" : "def";
  return `    ${define} ${methodName(method.place)}(${content(signature(method))}) -> ${types[returns.kind]()}:
${documentation(method)}        return ${isList ? "" : wait}${call(method)}
`;
}

const className = (place: string[], root: string) =>
  place.length === 0 ? root : `${place.map(pascalCase).join("")}Methods`;

/** The classes of a group and of what is in it, the innermost first. */
export function groupClasses(methods: Method[], root: string, client: Client, place: string[] = []): string {
  const depth = place.length;
  const inside = methods.filter((method) => place.every((name, index) => method.place[index] === name));
  const own = inside.filter((method) => method.place.length === depth + 1);
  const groups = [
    ...new Set(inside.filter((method) => method.place.length > depth + 1).map((one) => one.place[depth]!)),
  ];
  const clash = groups.find((name) => own.some((method) => method.place[depth] === name));
  if (clash) throw new Error(`Python SDK: ${[...place, clash].join(".")} would be a method and a group`);
  const nested = groups.map((name) => groupClasses(methods, root, client, [...place, name]));
  const attributes = groups.map(
    (name) => `        self.${snakeCase(name)} = ${client.prefix}${className([...place, name], root)}(calls)\n`,
  );
  return `${nested.join("")}
class ${client.prefix}${className(place, root)}:
    def __init__(self, calls: ${client.prefix}Calls) -> None:
        self._calls = calls
${attributes.join("")}
${own.map((method) => methodCode(method, client)).join("\n")}
`;
}

/** The same methods, each of which returns what it would send. */
export function dryRunClasses(methods: Method[], root: string, client: Client, place: string[] = []): string {
  const depth = place.length;
  const inside = methods.filter((method) => place.every((name, index) => method.place[index] === name));
  const names = [...new Set(inside.map((method) => method.place[depth]!))];
  const isGroup = (name: string) =>
    inside.some((method) => method.place[depth] === name && method.place.length > depth + 1);
  const nested = names.filter(isGroup).map((name) => dryRunClasses(methods, root, client, [...place, name]));
  const nameOf = (at: string[]) => `${client.prefix}${at.length === 0 ? root : at.map(pascalCase).join("")}DryRun`;
  const wrap = client.prefix ? "planned_async" : "planned";
  const lines = names.map((name) =>
    isGroup(name)
      ? `        self.${snakeCase(name)} = ${nameOf([...place, name])}(calls)\n`
      : `        self.${methodName([name])} = ${wrap}(methods.${methodName([name])})\n`,
  );
  const needsMethods = names.some((name) => !isGroup(name));
  return `${nested.join("")}
class ${nameOf(place)}:
    def __init__(self, calls: ${client.prefix}DryRunCalls) -> None:
${needsMethods ? `        methods = ${client.prefix}${className(place, root)}(calls)\n` : ""}${lines.join("")}
`;
}
