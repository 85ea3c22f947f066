import type { MovingStore } from "../../contracts/moving.ts";
import type { StoreContext } from "../database/context.ts";
import { migrations } from "../database/migrations.ts";
import { readRows } from "./read-rows.ts";
import { writeRows } from "./write-rows.ts";

/** Everything that belongs to workspaces, out of this store and into it. */
export const moving = (context: StoreContext): MovingStore["moving"] => ({
  schemaVersion: migrations.length,
  read: (workspaceIds, visit) => readRows(context, workspaceIds, visit),
  write: (rows, options) => writeRows(context, rows, options),
});
