import Type, { type Static } from "typebox";
import { Nullable } from "../../categories/schema.ts";
import type { Caller } from "../../contracts/caller.ts";
import { Fault } from "../../contracts/fault.ts";
import type { BoundOperation } from "../../contracts/operation.ts";
import { readParameters } from "../shared/operation-input.ts";
import { closed, MapOf } from "../shared/platform-records/schema.ts";
import type { PlatformOptions } from "./options.ts";
import { InputText } from "./schemas.ts";
import type { Problems } from "./validation.ts";

const MIN_INTERVAL_SECONDS = 60;
const MAX_INTERVAL_SECONDS = 86_400;
const MAX_FULL_WALK_SECONDS = 7 * 86_400;
const DEFAULT_FULL_WALK_SECONDS = 6 * 3_600;

const parametersField = MapOf<string | number | boolean>(
  { type: ["string", "number", "boolean"] },
  "The operation's own path and query parameters. Times are fixed: a window does not move along",
  { maxProperties: 50 },
);
const intervalField = Type.Integer({
  minimum: MIN_INTERVAL_SECONDS,
  maximum: MAX_INTERVAL_SECONDS,
  description: "How often the list is read",
});
const fullWalkField = Type.Integer({
  minimum: MIN_INTERVAL_SECONDS,
  maximum: MAX_FULL_WALK_SECONDS,
  description:
    "How often the whole list is read, which is the only way to find out what was deleted. At least the interval. Lists that the provider cannot filter by time are always read as a whole",
  default: DEFAULT_FULL_WALK_SECONDS,
});

const withWebhookField = Type.Integer({
  minimum: MIN_INTERVAL_SECONDS,
  maximum: MAX_INTERVAL_SECONDS,
  description:
    "How often the list is read while the provider's own webhook starts the subscription. At least the interval. Default: ten times the interval, at most a day",
});

export const NewSubscription = Type.Object(
  {
    connection_id: InputText(255, "the connection to read from"),
    operation: InputText(255, "the id of a list operation, such as tasks.listTasks"),
    parameters: Type.Optional(parametersField),
    interval_seconds: intervalField,
    full_walk_seconds: Type.Optional(fullWalkField),
    poll_with_webhook_seconds: Type.Optional(Nullable(withWebhookField)),
    include_existing: Type.Optional(
      Type.Boolean({
        default: false,
        description: "Whether the first run creates a `created` event for each existing record",
      }),
    ),
  },
  { title: "NewSubscription", ...closed },
);
export type NewSubscription = Static<typeof NewSubscription>;

export const SubscriptionChange = Type.Object(
  {
    parameters: Type.Optional(parametersField),
    interval_seconds: Type.Optional(intervalField),
    full_walk_seconds: Type.Optional(fullWalkField),
    poll_with_webhook_seconds: Type.Optional(Nullable(withWebhookField)),
  },
  { title: "SubscriptionChange", ...closed },
);

export function checkParameters(problems: Problems, operation: BoundOperation, given: Record<string, unknown>) {
  for (const [name, value] of Object.entries(given))
    if (Number.isInteger(value) && !Number.isSafeInteger(value))
      problems.add("Must be text: JSON numbers do not keep so many digits", "parameters", name);
  const { parameters, problems: found } = readParameters(operation, given);
  for (const { path, message } of found) problems.add(message, "parameters", ...path);
  return parameters;
}

export function checkFullWalk(problems: Problems, interval: number, fullWalk: number | undefined): number {
  if (fullWalk !== undefined && fullWalk < interval && problems.valid("full_walk_seconds"))
    problems.add("Must not be less than interval_seconds", "full_walk_seconds");
  return fullWalk ?? Math.max(interval, DEFAULT_FULL_WALK_SECONDS);
}

export function checkWithWebhook(problems: Problems, interval: number, given: number | null | undefined): void {
  if (typeof given === "number" && given < interval && problems.valid("poll_with_webhook_seconds"))
    problems.add("Must not be less than interval_seconds", "poll_with_webhook_seconds");
}

export const UNKNOWN_CONNECTION = "Unknown connection: GET /v1/connections lists yours";

/** Whether the operation can be read over the connection. */
export async function checkConnection(
  engine: PlatformOptions["engine"],
  problems: Problems,
  user: Caller,
  { connection_id }: NewSubscription,
  operation: BoundOperation | undefined,
): Promise<void> {
  if (!problems.valid("connection_id")) return;
  try {
    const connection = await engine.inspect({ user, connectionId: connection_id });
    if (operation && !engine.supports(connection, operation))
      problems.add(`${connection.provider.manifest.name} does not support this operation`, "operation");
  } catch (error) {
    if (!(error instanceof Fault) || error.kind === "store_unavailable") throw error;
    const isUnknown = error.kind === "connection_missing";
    problems.add(isUnknown ? UNKNOWN_CONNECTION : error.message, "connection_id");
  }
}
