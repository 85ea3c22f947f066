import Type from "typebox";
import type { ChangedRecords, ChangeKind } from "../contracts/emulator.ts";
import { controlBody } from "./control-body.ts";
import type { EmulatedProvider } from "./emulated-provider.ts";
import { sendHooks } from "./hooks.ts";

const Count = Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000 }));

const ChangesBody = Type.Object(
  {
    provider: Type.String(),
    list: Type.String(),
    create: Count,
    update: Count,
    delete: Count,
    parameters: Type.Optional(
      Type.Record(Type.String(), Type.Unsafe<string | number>({ type: ["string", "number"], maxLength: 1_000 })),
    ),
  },
  { additionalProperties: false },
);

const KINDS: readonly ChangeKind[] = ["create", "update", "delete"];

const parse = controlBody(ChangesBody);

/** What was changed. */
interface MadeChanges extends ChangedRecords {
  provider: string;
  list: string;
  /** The parameters of the list, including those that were not given. */
  parameters: Record<string, string>;
}

/** Makes the changes that a request asks for, or none of them and returns everything that is wrong with it. */
export async function makeChanges(
  body: unknown,
  emulated: ReadonlyMap<string, EmulatedProvider>,
): Promise<MadeChanges | { problems: string[] }> {
  const request = await parse(body);
  if ("problems" in request) return request;
  const { provider, list: id, create = 0, update = 0, delete: deletes = 0, parameters: given = {} } = request;
  const found = emulated.get(provider);
  if (!found) return { problems: [`provider must be one of ${[...emulated.keys()].join(", ")}`] };
  const api = await found.api();
  const list = Object.hasOwn(api.changeableLists, id) ? api.changeableLists[id] : undefined;
  if (!list) return { problems: [`list must be one of ${Object.keys(api.changeableLists).join(", ")}`] };
  const counts = { create, update, delete: deletes };
  const defaults = list.parameters?.(api.state()) ?? {};
  const problems = [
    ...Object.keys(given)
      .filter((name) => !Object.hasOwn(defaults, name))
      .map((name) => `parameters.${name} is not a known parameter: ${expected(Object.keys(defaults))}`),
    ...KINDS.filter((kind) => counts[kind] > 0 && list.impossible[kind] !== undefined).map(
      (kind) => `${kind} is impossible in ${id} of ${provider}: ${list.impossible[kind]}`,
    ),
  ];
  if (problems.length > 0) return { problems };
  const parameters = Object.fromEntries(
    Object.entries({ ...defaults, ...given }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  );
  const changed = api.change(list, { ...counts, parameters });
  if ("problem" in changed) return { problems: [changed.problem] };
  sendHooks(found, api, { list: id, parameters, changed });
  return { provider, list: id, parameters, ...changed };
}

const expected = (names: string[]) => (names.length === 0 ? "this list has none" : `it has ${names.join(", ")}`);
