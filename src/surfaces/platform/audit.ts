import { Readable } from "node:stream";
import Type from "typebox";
import type { AuditEntry, AuditFilter, AuditPage } from "../../contracts/audit.ts";
import { auditEntry } from "../shared/audit.ts";
import { AuditRecords } from "../shared/platform-records/audit-entry.ts";
import type { PlatformApp, PlatformOptions } from "./options.ts";
import { describeRoute } from "./route.ts";
import { Filter, Paging } from "./schemas.ts";
import { readTime } from "./times.ts";

const NDJSON = "application/x-ndjson";
const EXPORTED_PER_READ = 100;

const ListAudit = Type.Object({
  limit: Paging.limit,
  after: Filter("only entries after this one (its id) or after this time (ISO 8601). Without `before`, oldest first"),
  before: Filter("only entries before this one (its id) or before this time: newest first, which is the default"),
  actor: Filter("only what this key or person did: an id"),
  action: Filter("only this action, such as `connection.delete`, or all of a kind: `connection.*`"),
  target: Filter("only what was done to this: an id"),
});

const isEntry = (text: string) => text.startsWith("aud_");

export function auditRoutes(app: PlatformApp, { store }: PlatformOptions): void {
  const route = describeRoute("Audit log", { wholeWorkspace: true });

  /** All entries of a list, as lines. */
  async function* lines(workspaceId: string, page: AuditPage, filter: AuditFilter) {
    const oldestFirst = page.after !== undefined && page.before === undefined;
    for (let next = page; ; ) {
      const entries = await store.audit.list(workspaceId, { ...next, limit: EXPORTED_PER_READ }, filter);
      for (const entry of entries) yield `${JSON.stringify(toRecord(entry))}\n`;
      if (entries.length < EXPORTED_PER_READ) return;
      const { id } = entries.at(-1)!;
      next = { ...page, ...(oldestFirst ? { after: id } : { before: id }) };
    }
  }

  app.get(
    "/v1/audit",
    {
      schema: route("listAudit", "logs:read", "List who did what, newest first", {
        action: "audit.export",
        querystring: ListAudit,
        200: AuditRecords,
        description:
          "Every change, every secret that was shown, and every attempt that was refused. With `Accept: application/x-ndjson`, all entries are streamed, one on each line, and that is an entry itself. Entries are kept for `AUDIT_RETENTION_DAYS` (365).",
      }),
    },
    async (request, reply) => {
      const { workspace, caller, query } = request;
      const { limit = 50, after, before, actor, action, target } = query;
      const at = (name: "after" | "before", text: string | undefined) =>
        text === undefined ? {} : { [name]: isEntry(text) ? text : readTime(text, name) };
      const page: AuditPage = { limit, ...at("after", after), ...at("before", before) };
      const given = Object.entries({ actor, action, target }).filter(([, value]) => value !== undefined);
      const filter: AuditFilter = Object.fromEntries(given);
      if (!request.headers.accept?.includes(NDJSON))
        return (await store.audit.list(workspace.id, page, filter)).map(toRecord);
      const names = Object.keys({ ...page, ...filter }).filter((name) => name !== "limit");
      await store.audit.append(
        auditEntry(workspace.id, caller.actor, { action: "audit.export", id: null, changes: names }, request),
      );
      return reply.type(NDJSON).send(Readable.from(lines(workspace.id, page, filter)) as never);
    },
  );
}

const toRecord = ({ workspace_id: _, ...entry }: AuditEntry) => entry;
