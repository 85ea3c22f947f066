import Type from "typebox";
import { invalidInput } from "../../contracts/fault.ts";
import type { UsagePeriod } from "../../contracts/usage.ts";
import { USAGE_SECONDS } from "../../contracts/usage.ts";
import { UsageRecord } from "../shared/platform-records/usage.ts";
import type { PlatformApp, PlatformOptions } from "./options.ts";
import { describeRoute } from "./route.ts";
import { Filter } from "./schemas.ts";
import { readTimes } from "./times.ts";
import { summarize } from "./usage-summary.ts";

const GetUsage = Type.Object({
  since: Filter("from this time on (ISO 8601); a day before `until` by default, at most 31 days"),
  until: Filter("before this time (ISO 8601); now by default"),
  connection_id: Filter("only requests that used this connection"),
});

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A period that ends now has become a little longer on its way here. */
const TOLERANCE_MS = 60_000;
const MAX_PERIOD_MS = 31 * DAY_MS + TOLERANCE_MS;
/** Periods up to this long are shown by minute, as long as the minutes are kept. */
const MAX_MINUTES_PERIOD_MS = 6 * HOUR_MS + TOLERANCE_MS;
const MINUTES_KEPT_MS = 2 * DAY_MS + TOLERANCE_MS;

export function usageRoutes(app: PlatformApp, { store }: PlatformOptions): void {
  const route = describeRoute("Request log", { wholeWorkspace: true });
  app.get(
    "/v1/usage",
    {
      schema: route("getUsage", "logs:read", "Count requests over time", {
        querystring: GetUsage,
        200: UsageRecord,
        description:
          "Requests, errors and latency by minute, for up to 6 hours of the last 2 days, or by hour. Reads of the Platform API are not counted. Counts are kept for 31 days, and updated about once a second. With `connection_id`, they go back as far as the request log, and for a connection with many requests less far: `since` says from when on they are complete.",
      }),
    },
    async ({ query, workspace }) => {
      const period = readPeriod(query);
      const { since, counts } = await store.requestLog.usage(workspace.id, period);
      return summarize(counts, { ...period, since });
    },
  );
}

/** The period in whole minutes or hours: by default the last day. */
function readPeriod(query: { since?: string; until?: string; connection_id?: string }, now = Date.now()): UsagePeriod {
  const given = readTimes({ since: query.since, until: query.until });
  const until = given.until === undefined ? now : Date.parse(given.until);
  const since = given.since === undefined ? until - DAY_MS : Date.parse(given.since);
  if (since >= until) throw invalidInput({ path: ["since"], message: "Must be before until, which is now by default" });
  if (until - since > MAX_PERIOD_MS)
    throw invalidInput({ path: ["since"], message: "Must be at most 31 days before until" });
  const width = until - since <= MAX_MINUTES_PERIOD_MS && now - since <= MINUTES_KEPT_MS ? "minute" : "hour";
  const step = USAGE_SECONDS[width] * 1000;
  return {
    width,
    since: new Date(Math.floor(since / step) * step).toISOString(),
    until: new Date(Math.ceil(until / step) * step).toISOString(),
    ...(query.connection_id === undefined ? {} : { connection_id: query.connection_id }),
  };
}
