// Checks an exchange against Dropbox's description in Stone: https://github.com/dropbox/stone/blob/main/docs/lang_ref.rst
import type { ObservedExchange } from "./index.ts";
import { parseStone, type StoneDefinition, type StoneRoute, type StoneType } from "./stone-parser.ts";

type Problems = string[];

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Types of errors that every route has, by status. */
const COMMON_ERRORS: Readonly<Record<number, string>> = {
  401: "auth.AuthError",
  403: "auth.AccessError",
  429: "auth.RateLimitError",
};

export function createStoneChecker(documents: readonly string[]) {
  const { definitions, routes } = parseStone(documents);

  /** A definition after its parents. */
  function lineage(definition: StoneDefinition): StoneDefinition[] {
    const parent = definition.parent && definitions.get(definition.parent);
    return [...(parent ? lineage(parent) : []), definition];
  }
  const membersOf = (definition: StoneDefinition) =>
    new Map(lineage(definition).flatMap(({ members }) => [...members]));

  function checkPrimitive({ name, args }: StoneType, value: unknown, at: string): Problems | undefined {
    if (/^U?Int(32|64)$/.test(name)) {
      const { min_value = name.startsWith("U") ? 0 : -Infinity, max_value = Infinity } = args;
      const valid = Number.isInteger(value) && Number(value) >= Number(min_value) && Number(value) <= Number(max_value);
      return valid ? [] : [`${at} must be ${name} within its range`];
    }
    if (/^Float(32|64)$/.test(name)) return typeof value === "number" ? [] : [`${at} must be a number`];
    if (name === "Boolean") return typeof value === "boolean" ? [] : [`${at} must be a boolean`];
    if (name === "Void") return value === null || value === undefined ? [] : [`${at} must be null`];
    if (name !== "String" && name !== "Timestamp" && name !== "Bytes") return undefined;
    if (typeof value !== "string") return [`${at} must be a string`];
    if (name === "Timestamp") {
      const pattern = String(args[0])
        .replace("%Y", "\\d{4}")
        .replace(/%[mdHMS]/g, "\\d\\d");
      return new RegExp(`^${pattern}$`).test(value) ? [] : [`${at} must be a time like ${args[0]}`];
    }
    const { min_length = 0, max_length = Infinity, pattern = "[^]*" } = args;
    if (value.length < Number(min_length)) return [`${at} is too short`];
    if (value.length > Number(max_length)) return [`${at} is too long`];
    return new RegExp(`^(?:${pattern})$`).test(value) ? [] : [`${at} must match ${pattern}`];
  }

  function check(type: StoneType, value: unknown, at: string): Problems {
    if (type.nullable && (value === null || value === undefined)) return [];
    const { name, inner } = type;
    if (name === "List")
      return Array.isArray(value) ? value.flatMap((item) => check(inner!, item, `${at}/*`)) : [`${at} must be a list`];
    if (name === "Map")
      return isObject(value)
        ? Object.values(value).flatMap((item) => check(inner!, item, `${at}/*`))
        : [`${at} must be a map`];
    const primitive = checkPrimitive(type, value, at);
    if (primitive) return primitive;
    const definition = definitions.get(name);
    // A namespace whose file is not there is not checked.
    if (!definition) return [];
    if (definition.kind === "alias") return check(definition.target!, value, at);
    return definition.kind === "union" ? checkUnion(definition, value, at) : checkStruct(definition, value, at);
  }

  function checkStruct(definition: StoneDefinition, value: unknown, at: string): Problems {
    if (!isObject(value)) return [`${at} must be an object`];
    if (!definition.subtypes) return checkFields(definition, value, at);
    const { ".tag": tag, ...fields } = value;
    const subtype = definition.subtypes.get(String(tag));
    if (subtype) return checkFields(definitions.get(subtype)!, fields, at);
    return definition.open ? checkFields(definition, fields, at) : [`${at}/.tag must name a subtype`];
  }

  function checkFields(definition: StoneDefinition, value: Record<string, unknown>, at: string): Problems {
    const members = membersOf(definition);
    const sent = Object.entries(value).filter(([, field]) => field !== undefined);
    const missing = [...members].filter(([name, { required }]) => required && value[name] === undefined);
    return [
      ...missing.map(([name]) => `${at}/${name} is missing`),
      ...sent.flatMap(([name, field]) => {
        const member = members.get(name);
        if (!member) return [`${at}/${name} is not described`];
        return member.type ? check(member.type, field, `${at}/${name}`) : [];
      }),
    ];
  }

  /** The fields of a struct are next to the tag; anything else is in a field with the tag's name. */
  function checkUnion(definition: StoneDefinition, value: unknown, at: string): Problems {
    const { ".tag": tag, ...rest } = typeof value === "string" ? { ".tag": value } : isObject(value) ? value : {};
    const member = membersOf(definition).get(String(tag));
    if (!member) {
      const other = tag === "other" && lineage(definition).some(({ open }) => open);
      return other ? [] : [`${at}/.tag is not one of the union's`];
    }
    const { type } = member;
    const payload = type && definitions.get(type.name);
    if (payload?.kind === "struct" && !payload.subtypes) return checkFields(payload, rest, at);
    const others = Object.keys(rest).filter((name) => !type || name !== tag);
    return [
      ...others.map((name) => `${at}/${name} is not described`),
      ...(type ? check(type, rest[String(tag)], `${at}/${tag}`) : []),
    ];
  }

  function requestProblems(route: StoneRoute, { request }: ObservedExchange): Problems {
    if (route.style === "rpc")
      return [...(request.method === "POST" ? [] : ["must be a POST"]), ...check(route.argument, request.body, "body")];
    const header = request.headers["dropbox-api-arg"];
    if (header === undefined) return ["header dropbox-api-arg is missing"];
    if (/[^\x20-\x7e]/.test(header)) return ["header dropbox-api-arg must be ASCII"];
    return check(route.argument, JSON.parse(header), "header dropbox-api-arg");
  }

  function replyProblems(route: StoneRoute, { reply: { status, body, headers } }: ObservedExchange): Problems {
    if (status < 300)
      return route.style === "download"
        ? check(route.result, JSON.parse(headers["dropbox-api-result"] ?? "null"), `reply ${status} dropbox-api-result`)
        : check(route.result, body, `reply ${status}`);
    const error = status === 409 ? route.error : COMMON_ERRORS[status] && { name: COMMON_ERRORS[status], args: {} };
    if (!error || typeof body === "string" || body === undefined) return [];
    const summary = typeof body?.error_summary === "string" ? [] : [`reply ${status}/error_summary must be a string`];
    return [...summary, ...check(error, body?.error, `reply ${status}/error`)];
  }

  return function checkExchange(exchange: ObservedExchange): Problems | undefined {
    const route = routes.get(exchange.path);
    if (!route) return undefined;
    const problems = [...requestProblems(route, exchange), ...replyProblems(route, exchange)];
    return [...new Set(problems)].map((text) => `${exchange.path} ${text}`);
  };
}
