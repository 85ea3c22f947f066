// The Python SDK: its methods, types and events, from the same table and document as the TypeScript SDK.
import { bodyName, sdkMethod } from "../../../src/categories/sdk-method.ts";
import { type BoundOperation, isWrite } from "../../../src/contracts/operation.ts";
import { fieldsQuery, listQuery } from "../../../src/surfaces/unified/input.ts";
import { offeredField } from "../../../src/surfaces/unified/offered-fields.ts";
import type { Language } from "../methods-page.ts";
import { namedSchemas, type PlatformDocument, type Route, routesOf } from "../platform-document.ts";
import { aboutOf, type JsonSchema, pascalCase, refName, snakeCase } from "../schema.ts";
import { FIELDS_ABOUT, fieldsPlace, isNumber, recordOf, recordsOf, schemaOf } from "../table.ts";
import { pythonEvents } from "./events.ts";
import { type Client, clients, dryRunClasses, groupClasses, type Method, type Parameter } from "./methods.ts";
import { type Direction, safeName, TypeWriter } from "./types.ts";

export const python: Language = {
  title: "plugboard-sdk for Python",
  nameOf: (place) => place.map((name) => safeName(snakeCase(name))).join("."),
  besides: "`proxy`, `request`, `with_options`, and `dry_run`, which has all of these",
  platform: "pb",
};

const HEADER = (source: string) => `# Written by \`npm run gen\` from ${source}. Do not edit.
`;

/** What describes a parameter, with its default if that says more than that there is one. */
const describe = ({ description, default: value }: JsonSchema & { default?: unknown }) =>
  typeof value === "number" ? `${description ?? ""}. Default: ${value}` : description;

const parametersOf = (schema: JsonSchema | undefined, types: TypeWriter, name: string): Parameter[] =>
  Object.entries(schema?.properties ?? {}).map(([field, one]) => ({
    name: field,
    type: types.typeOf(one, name + pascalCase(field), "sent"),
    isRequired: schema!.required?.includes(field) ?? false,
    about: describe(one),
  }));

/** What the SDK has in another form than the API: cursors, the provider's response, and an object instead of its text. */
const IN_PYTHON: Record<string, Partial<Parameter>> = {
  after: { about: "Where to begin: `next` of a page" },
  include_raw: { about: "Whether pages have the provider's own response as `raw`" },
  limit: { about: "How many records a page has: 1 to 100. Default: 100" },
  params: { about: "Parameters to pass through to the provider", type: "Mapping[str, Any]" },
};

/** Of every list. */
const commonParameters = (types: TypeWriter): Parameter[] =>
  parametersOf(schemaOf(listQuery), types, "List").map((parameter) => ({ ...parameter, ...IN_PYTHON[parameter.name] }));

const KEY = {
  name: "idempotency_key",
  type: "str | None",
  value: "None",
  about: "1 to 255 characters. Default: a new one for each call, kept over its retries",
};
const STREAM = {
  name: "stream",
  type: "bool",
  value: "False",
  about: "Whether iterating reads the whole list from one response, instead of a request for each page",
};
const CONTENT = [
  {
    name: "size",
    type: "int | None",
    value: "None",
    about: "Of a stream, in bytes, if it is not a binary file or a download",
  },
  { name: "content_type", type: "str | None", value: "None", about: "What the file is, as in `text/plain`" },
];

function operationMethod(operation: BoundOperation, all: readonly BoundOperation[], types: TypeWriter): Method {
  const { kind } = operation;
  const own = { ...operation.query, ...(kind === "one" && fieldsQuery) };
  const query = parametersOf(schemaOf(own), types, pascalCase(operation.name));
  const record = types.typeOf(recordOf(operation), pascalCase(operation.name), "received");
  const values = operation.parameters.map((one) => ({
    name: one.name,
    type: isNumber(one, operation, all) ? "int | str" : "str",
  }));
  return {
    place: sdkMethod(operation),
    about: aboutOf(operation),
    method: operation.method,
    path: operation.route.replaceAll(/:\w+/g, "{}"),
    positional: [...values, ...(kind === "upload" ? [{ name: "content", type: "Content" }] : [])],
    query: kind === "list" ? [...query, ...commonParameters(types)] : query,
    body: operation.body ? parametersOf(operation.body as JsonSchema, types, bodyName(operation)) : undefined,
    own: [...(kind === "upload" ? CONTENT : []), ...(isWrite(kind) ? [KEY] : []), ...(kind === "list" ? [STREAM] : [])],
    returns:
      kind === "list"
        ? { kind: "list", type: record, paging: "after" }
        : kind === "download"
          ? { kind: "download" }
          : { kind: "record", type: record },
  };
}

/** What the records of a list can have as custom fields. */
function fieldsMethod(operation: BoundOperation, all: readonly BoundOperation[], types: TypeWriter): Method {
  const { positional, ...list } = operationMethod(operation, all, types);
  return {
    place: fieldsPlace(operation),
    about: FIELDS_ABOUT,
    method: "GET",
    path: `${list.path}/fields`,
    positional,
    query: parametersOf(schemaOf(operation.query), types, pascalCase(operation.name)),
    body: undefined,
    own: [],
    returns: { kind: "record", type: "list[OfferedField]" },
  };
}

function routeMethod(route: Route, schemas: Record<string, JsonSchema>, types: TypeWriter): Method {
  const name = pascalCase(route.operationId);
  const body = route.body && (schemas[refName(route.body) ?? ""] ?? route.body);
  const { list, result } = route;
  return {
    place: route.place,
    about: route.about,
    method: route.method,
    path: route.path.replaceAll(/\{\w+\}/g, "{}"),
    positional: route.params.map((one) => ({ name: one, type: "str" })),
    query: parametersOf(route.query, types, name),
    body: body && parametersOf(body, types, refName(route.body!) ?? name),
    own: [],
    returns: list
      ? { kind: "list", type: types.typeOf(list.entry, name, "received"), paging: list.paging }
      : { kind: "record", type: result ? types.typeOf(result, name, "received") : "None" },
  };
}

/** The names that some code uses, as imports are sorted: constants, classes, functions. */
function used(names: Iterable<string>, code: string): string[] {
  const withoutText = code.replaceAll(/"""[\s\S]*?"""/g, "");
  const rank = (name: string) => (/^[A-Z_]+$/.test(name) ? 0 : /^[A-Z]/.test(name) ? 1 : 2);
  return [...names]
    .filter((name) => new RegExp(`\\b${name}\\b`).test(withoutText))
    .toSorted((a, b) => rank(a) - rank(b) || (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
}

const imports = (module: string, names: string[]) =>
  names.length > 0 ? `from ${module} import ${names.join(", ")}\n` : "";

function methodsModule(code: string, client: Client, typeNames: string[]): string {
  const typing = used(["Any", "Literal"], code);
  return `${HEADER("the table of operations and the Platform API")}from __future__ import annotations

${imports("collections.abc", used(["Mapping", "Sequence"], code))}${imports("typing", typing)}
from ._address import path as to_path
${imports("._calls", used(["AsyncCalls", "AsyncDryRunCalls", "Calls", "DryRunCalls", "planned", "planned_async"], code))}${imports("._content", used(["OMIT", "AsyncContent", "Content"], code))}${imports("._core", used(["Parts"], code))}${imports("._lists", used([`${client.prefix}List`], code))}${imports("._streams", used([`${client.prefix}StreamedResponse`], code))}${imports(".types", used(typeNames, code))}
${code}`;
}

/** The schemas that requests have, and those that these refer to. */
function sentNames(document: PlatformDocument): Set<string> {
  return new Set(routesOf(document).flatMap(({ body }) => (body ? [refName(body) ?? ""] : [])));
}

/** Every generated file of the Python package, by its path, not formatted. */
export function pythonSdk(
  operations: readonly BoundOperation[],
  document: PlatformDocument,
  version: string,
): Record<string, string> {
  const types = new TypeWriter();
  const declare = (name: string, schema: JsonSchema, direction: Direction) => types.declare(name, schema, direction);
  for (const [title, schema] of recordsOf(operations)) declare(title, schema, "received");
  for (const operation of operations)
    if (operation.body) declare(bodyName(operation), operation.body as JsonSchema, "sent");
  const sent = sentNames(document);
  const schemas = namedSchemas(document);
  for (const [name, schema] of Object.entries(schemas)) declare(name, schema, sent.has(name) ? "sent" : "received");
  declare("OfferedField", offeredField as JsonSchema, "received");
  const unified = operations.flatMap((operation) => [
    operationMethod(operation, operations, types),
    ...(operation.kind === "list" ? [fieldsMethod(operation, operations, types)] : []),
  ]);
  const platform = routesOf(document).map((route) => routeMethod(route, schemas, types));
  const typeCode = types.code();
  const typeNames = [...typeCode.matchAll(/^(?:class )?([A-Z]\w+)(?:\(| = )/gm)].map(([, name]) => name!);
  const folder = "sdk-python/src/plugboard";
  const files: Record<string, string> = {
    [`${folder}/_version_gen.py`]: `${HEADER("package.json")}VERSION = ${JSON.stringify(version)}\n`,
    [`${folder}/types.py`]: `${HEADER("the table of operations and the Platform API")}"""Records and bodies as typed dictionaries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict

${typeCode}`,
    [`${folder}/events.py`]: `${HEADER("the table of operations")}${pythonEvents(operations)}`,
  };
  for (const client of clients) {
    const suffix = client.prefix ? "_async" : "";
    const operationsCode = groupClasses(unified, "Operations", client) + dryRunClasses(unified, "Operations", client);
    files[`${folder}/_unified${suffix}_gen.py`] = methodsModule(operationsCode, client, typeNames);
    files[`${folder}/_platform${suffix}_gen.py`] = methodsModule(
      groupClasses(platform, "Platform", client),
      client,
      typeNames,
    );
  }
  return files;
}
