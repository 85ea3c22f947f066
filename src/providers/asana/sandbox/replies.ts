import type { EmulatedReply, EmulatedRequest } from "../../../contracts/emulator.ts";
import { reply } from "../../../emulator-kit/emulator.ts";
import type { SandboxTask, State } from "./data.ts";

export const HELP =
  "For more information on API status codes and how to handle them, read the docs on errors: https://developers.asana.com/docs/errors";

export const errorReply = (status: number, message: string, headers?: Record<string, string>) =>
  reply(status, { errors: [{ message, help: HELP }] }, headers);

export type Resource = { gid: string; resource_type: string } & Record<string, unknown>;

const isResource = (value: unknown): value is Resource => typeof value === "object" && value !== null && "gid" in value;

/** A value without an id of its own, such as the addresses of a photo. */
const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const requestedFields = ({ query }: EmulatedRequest) => query.get("opt_fields")?.split(",");

/** A resource with the requested fields. A nested one has only its id and type, unless fields of it were requested. */
export function selectFields(
  item: Resource,
  requested: string[] | undefined,
  compact: string[],
): Record<string, unknown> {
  const { gid, resource_type } = item;
  if (!requested) return Object.fromEntries(compact.map((name) => [name, item[name]]));
  const selected: Record<string, unknown> = { gid };
  const names = new Set(requested.map((path) => path.split(".")[0]!));
  for (const name of names) {
    const value = item[name];
    const inner = requested.filter((path) => path.startsWith(`${name}.`)).map((path) => path.slice(name.length + 1));
    const nested = (field: unknown) =>
      isResource(field)
        ? selectFields(field, inner.length > 0 ? inner : ["resource_type"], ["gid", "resource_type"])
        : isMap(field) && inner.length > 0
          ? Object.fromEntries(inner.map((key) => [key, field[key]]))
          : field;
    if (value !== undefined) selected[name] = Array.isArray(value) ? value.map(nested) : nested(value);
  }
  return names.has("resource_type") ? { ...selected, resource_type } : selected;
}

export const unknownObject = (parameter: string, gid: string) =>
  /^\d+$/.test(gid)
    ? errorReply(404, `${parameter}: Unknown object: ${gid}`)
    : errorReply(400, `${parameter}: Not a recognized ID: ${gid}`);

/** A route below one task, which refuses an unknown one. */
export const taskRoute =
  (handle: (task: SandboxTask, request: EmulatedRequest, state: State) => EmulatedReply) =>
  (request: EmulatedRequest, state: State): EmulatedReply => {
    const { task: gid = "" } = request.params;
    const task = state.tasks.find((task) => task.gid === gid);
    return task ? handle(task, request, state) : unknownObject("task", gid);
  };
