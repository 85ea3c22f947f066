import { collection, type EmulatedReply, type EmulatedRequest, reply } from "../../../emulator-kit/index.ts";
import type { SandboxItem, State } from "./data.ts";
import { shownMetadata } from "./metadata.ts";

const CODES: Readonly<Record<number, string>> = {
  400: "bad_request",
  401: "unauthorized",
  403: "forbidden",
  404: "not_found",
  405: "method_not_allowed",
  429: "too_many_requests",
  500: "internal_server_error",
  503: "unavailable",
};

/** https://developer.box.com/guides/api-calls/permissions-and-errors/common-errors */
export const errorReply = (status: number, message: string, more: object, headers: Record<string, string> = {}) =>
  reply(
    status,
    {
      type: "error",
      status,
      help_url: "http://developers.box.com/docs/#errors",
      message,
      request_id: "sandbox",
      ...more,
    },
    headers,
  );

const MESSAGES: Record<number, [message: string, headers: Record<string, string>]> = {
  401: ["Unauthorized", { "www-authenticate": 'Bearer realm="Service", error="invalid_token"' }],
  429: ["Request rate limit exceeded, please try again later", { "retry-after": "1" }],
};

export function failure(status: number): EmulatedReply {
  const code = CODES[status];
  const [message, headers] = MESSAGES[status] ?? [code?.replaceAll("_", " ") ?? `error ${status}`];
  return errorReply(status, message, { ...(code && { code }) }, headers);
}

/** The smallest representation of an item, which is part of every other one. */
export const mini = ({ type, id, etag, name, url }: SandboxItem) => ({ type, id, etag, name, ...(url && { url }) });

/** The fields with these names. */
export const select = (whole: object, names: string) =>
  Object.fromEntries(Object.entries(whole).filter(([name]) => names.split(",").includes(name)));

const STANDARD = "size,created_at,modified_at,parent,item_status";

/** An item with the requested fields, in addition to the smallest representation. */
export function represent(
  { query }: EmulatedRequest,
  { items }: State,
  item: SandboxItem,
  standard = STANDARD,
): object {
  const parent = items.find(({ id }) => id === item.folder);
  const whole = { ...item, parent: parent ? mini(parent) : null };
  const fields = query.get("fields") ?? standard;
  return { ...mini(item), ...select(whole, fields), ...shownMetadata(fields, item.id, item.metadata) };
}

const active = (type: SandboxItem["type"]) =>
  collection({
    items: ({ items }: State) => items.filter((item) => item.type === type && item.item_status === "active"),
    notFound: ({ params }) => failure(/^\d+$/.test(params.id!) ? 404 : 405),
    show: (item, request, state) => represent(request, state, item),
  });

export const files = active("file");
export const folders = active("folder");
