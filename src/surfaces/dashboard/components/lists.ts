import type { ProviderRecord } from "../../shared/platform-records/provider.ts";
import type { ToolPackRecord } from "../../shared/platform-records/tool-pack.ts";
import type { Api, ApiQuery } from "../api.ts";

export interface RowPage<Row> {
  rows: Row[];
  /** The id after which the next page begins; undefined on the last page. */
  next: string | undefined;
}

/** One page of a list, newest first. One entry more is read, to know whether there is a next page. */
export async function readPage<Row extends { id: string }>(
  api: Api,
  path: string,
  query: ApiQuery,
  size: number,
): Promise<RowPage<Row>> {
  const found = await api.get<Row[]>(path, { order: "newest", ...query, limit: size + 1 });
  const rows = found.slice(0, size);
  return { rows, next: found.length > size ? rows.at(-1)!.id : undefined };
}

export const readProviders = (api: Api): Promise<ProviderRecord[]> => api.get("/platform/v1/providers");

export const readToolPacks = (api: Api): Promise<ToolPackRecord[]> => api.get("/platform/v1/tool-packs");

/** Tool packs to choose from, or none. */
export const packOptions = (packs: readonly ToolPackRecord[]): [id: string, name: string][] => [
  ["", "None"],
  ...packs.map(({ id, name }): [string, string] => [id, name]),
];

/** Names by id, in the order of the names. */
export async function providerNames(api: Api): Promise<Map<string, string>> {
  const providers = await readProviders(api);
  return new Map(
    providers.map(({ id, name }) => [id, name] as const).sort(([, one], [, other]) => one.localeCompare(other)),
  );
}
