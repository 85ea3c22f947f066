import type { Category, Operation } from "../contracts/operation.ts";
import type {
  CategoryImplementation,
  Context,
  ImplementedCategory,
  ListImplementation,
  OneImplementation,
  PageCursor,
  Place,
  UploadImplementation,
} from "../contracts/provider.ts";
import type { UpstreamRequest } from "../contracts/upstream.ts";

/**
 * One list of a provider. Body, item, cursor and place are inferred from the functions in the order in which they are
 * written: `places`, `items`, `next`, then `keep`, `request` and `record`, which use them.
 */
export const list = <Input, ListRecord, Body, Item, Cursor extends PageCursor, ListPlace extends Place>(
  implementation: ListImplementation<Input, ListRecord, Body, Item, Cursor, ListPlace>,
): ListImplementation<Input, ListRecord> => implementation;

interface ByRequest<Input, OneRecord, Body, Field extends keyof Input> {
  requires?: readonly (Field & string)[];
  isUser?(body: Body): boolean;
  request(context: Context<Input & Required<Pick<Input, Field>>>): UpstreamRequest;
  record(body: Body, context: Context<Input>): OneRecord;
  original?(body: Body): unknown;
}
interface ByCalls<Input, OneRecord, Body, Field extends keyof Input> {
  requires?: readonly (Field & string)[];
  load(context: Context<Input & Required<Pick<Input, Field>>>): Promise<Body>;
  record(body: Body, context: Context<Input>): OneRecord;
  original?(body: Body): unknown;
}

/**
 * One record of a provider, read or written: by one `request`, or by calls of its own in `load`. `requires` names the
 * fields that this provider does not do without: they are given then.
 */
export const one = <Input, OneRecord, Body, Field extends keyof Input = never>(
  implementation: ByRequest<Input, OneRecord, Body, Field> | ByCalls<Input, OneRecord, Body, Field>,
): OneImplementation<Input, OneRecord> => implementation;

/** An upload of a provider. */
export const upload = <Input, FileRecord, Body>(
  implementation: UploadImplementation<Input, FileRecord, Body>,
): UploadImplementation<Input, FileRecord> => implementation;

/** A list whose records are another view of an existing list's. */
export const viewList = <Input, Source, Target>(
  implementation: ListImplementation<Input, Source>,
  toTarget: (record: Source) => Target,
): ListImplementation<Input, Target> => ({
  ...implementation,
  record: (item, context) => toTarget(implementation.record(item, context)),
});

/** The same for one record. */
export const viewOne = <Input, Source, Target>(
  implementation: OneImplementation<Input, Source>,
  toTarget: (record: Source) => Target,
): OneImplementation<Input, Target> => ({
  ...implementation,
  record: (body, context) => toTarget(implementation.record(body, context)),
});

/** One record by an input with other names. */
export const withInput = <From, To, Target>(
  implementation: OneImplementation<To, Target>,
  toInput: (input: From) => To,
): OneImplementation<From, Target> => {
  const { request, load, record, original } = implementation;
  const renamed = (context: Context<From>): Context<To> => ({ ...context, input: toInput(context.input) });
  return {
    ...(request && { request: (context) => request(renamed(context)) }),
    ...(load && { load: (context) => load(renamed(context)) }),
    record: (body, context) => record(body, renamed(context)),
    ...(original && { original }),
  };
};

/**
 * A provider's implementation of a category. An operation that is missing is not supported. `customFields` has the
 * records that accounts can add fields to, by name, such as `contact`.
 */
export function implement<Operations extends Record<string, Operation>>(
  category: Category<Operations>,
  operations: CategoryImplementation<Operations>,
  customFields: ImplementedCategory["customFields"] = {},
): ImplementedCategory {
  return { category: category.id, operations: operations as ImplementedCategory["operations"], customFields };
}
