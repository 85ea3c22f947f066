import Type, { type Static } from "typebox";
import { Shape, Timestamp } from "../../../categories/schema.ts";
import { closed, MapOf, NullableInteger } from "./schema.ts";

const counts = {
  requests: Type.Integer(),
  application_errors: Type.Integer({ description: "Errors of the caller, such as invalid requests" }),
  plugboard_errors: Type.Integer({ description: "Errors of Plugboard itself" }),
  provider_errors: Type.Integer({ description: "Errors of the provider" }),
};

const usage = {
  ...counts,
  p50_ms: NullableInteger("Half of the requests took no longer, as an estimate; null without requests"),
  p95_ms: NullableInteger("95 % of the requests took no longer, as an estimate; null without requests"),
  surfaces: MapOf<Static<ReturnType<typeof Type.Object<typeof counts>>>>(
    Type.Object(counts, closed),
    "The same counts by surface, for those that had requests",
  ),
};

export const UsageRecord = Shape("Usage", {
  since: Timestamp("The start of the first bucket"),
  until: Timestamp("The end of the last bucket"),
  bucket_seconds: Type.Integer({ description: "60 or 3600" }),
  total: Type.Object(usage, closed),
  buckets: Type.Array(Type.Object({ start: Timestamp(), ...usage }, closed), {
    description: "One per minute or hour, in the order of time, also if it had no requests",
  }),
});
export type UsageRecord = Static<typeof UsageRecord>;
