import Type, { type Static } from "typebox";
import { OneOf, Text } from "../../categories/schema.ts";
import { invalidInput } from "../../contracts/fault.ts";
import type { PageRequest } from "../../contracts/store.ts";
import { MapOf } from "../shared/platform-records/schema.ts";

/** A string sent by a client. Without NUL characters, which PostgreSQL cannot store. */
export const InputText = (maxLength: number, description: string, minLength = 1) =>
  Type.String({ minLength, maxLength, pattern: "^[^\\u0000]*$", description });

export const Scopes = (description: string) => Type.Array(InputText(500, "one scope"), { maxItems: 200, description });

export const Failure = Type.Object(
  {
    success: Type.Boolean({ enum: [false] }),
    message: Text(),
    errors: Type.Optional(
      MapOf<string[]>({ type: "array", items: { type: "string" } }, "Messages by field, if the request is invalid"),
    ),
  },
  { title: "Failure" },
);

export const Success = Type.Object({ success: Type.Boolean({ enum: [true] }) }, { title: "Success" });

/** Of routes that change nothing but what `change` rolls back. */
export const DryRun = Type.Object({
  dry_run: Type.Optional(
    Type.Boolean({
      default: false,
      description: "Checks everything and changes nothing: the response is what it would have been",
    }),
  ),
});

export const Paging = {
  offset: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1000, default: 0, description: "Number of entries to skip" }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 50, description: "Maximum number of entries to return" }),
  ),
};
export const Filter = (description: string, maxLength = 255) => Type.Optional(InputText(maxLength, description));

/** For lists in the order of creation or from the newest on, which have no end that `offset` could not reach. */
export const CursorPaging = {
  ...Paging,
  after: Filter(
    "the id of the last entry of the previous page: returns the entries after it, however many there are; not together with `offset`",
  ),
  order: Type.Optional(OneOf(["oldest", "newest"], "Which entries come first")),
};

export const toOffsetPage = ({ offset = 0, limit = 50 }: Static<ReturnType<typeof Type.Object<typeof Paging>>>) => ({
  offset,
  limit,
});

export function toPage({
  after,
  order,
  ...paging
}: Static<ReturnType<typeof Type.Object<typeof CursorPaging>>>): PageRequest {
  const { offset, limit } = toOffsetPage(paging);
  const newestFirst = order === "newest";
  if (after === undefined) return { offset, limit, newestFirst };
  if (paging.offset !== undefined) throw invalidInput({ path: ["after"], message: "Cannot be combined with offset" });
  return { after, limit, newestFirst };
}
