import { invalidInput, ProviderFailure } from "../../contracts/fault.ts";
import type { Filter } from "../../contracts/operation.ts";
import type { ListImplementation } from "../../contracts/provider.ts";

/** The filters that the client has set. A time is ISO 8601 in UTC with milliseconds. */
export type FilterValues = Readonly<Record<string, string>>;
export const NO_FILTERS: FilterValues = {};
export type Filters = Readonly<Record<string, Filter>>;

/** The filters that are set. One that only the provider could apply is refused if it does not. */
export function filterValuesIn(
  query: Record<string, unknown>,
  filters: Filters = {},
  { filters: passedOn }: ListImplementation,
  provider: string,
): FilterValues | undefined {
  let values: Record<string, string> | undefined;
  for (const name in query) {
    const filter = filters[name];
    const value = query[name] as string | undefined;
    if (!filter || value === undefined) continue;
    if (!filter.matches && !passedOn?.includes(name))
      throw invalidInput({ path: ["query", name], message: `${provider} has no search for this list` });
    values ??= {};
    values[name] = name === "updated_since" ? new Date(value).toISOString() : value;
  }
  return values;
}

export type Test = (record: unknown) => boolean;

/** The tests that a record has to pass. The provider may have made them already, or only some of them. */
export const testsOf = (filters: Filters = {}, values: FilterValues): Test[] =>
  Object.entries(values).flatMap(([name, value]) => {
    const matches = filters[name]?.matches;
    return matches ? [(record: unknown) => matches(record as never, value)] : [];
  });

/** How providers refuse it. */
const UNKNOWN_ID = new Set([400, 404, 422]);

/** Whether a provider says that it knows nothing by an ID that it was passed. */
export const saysUnknown = (
  error: unknown,
  filters: Filters = {},
  values: FilterValues,
  { filters: passedOn }: ListImplementation,
): boolean =>
  error instanceof ProviderFailure &&
  UNKNOWN_ID.has(error.status) &&
  Object.keys(values).some((name) => filters[name]?.isId && passedOn?.includes(name));
