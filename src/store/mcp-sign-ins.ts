import type { McpGrantStore, McpSignIn } from "../contracts/mcp-grants.ts";
import type { StoreContext } from "./database/context.ts";
import { toJson } from "./database/json.ts";
import type { McpSignInRow } from "./database/mcp-tables.ts";
import { rejectNul } from "./database/reject-nul.ts";
import { fromIso, now, toIso } from "./database/time.ts";

/** Anybody can register clients and begin sign-ins: more than anybody needs are refused. */
const MAX_CLIENTS = 10_000;
const MAX_SIGN_INS = 10_000;
const DAY = 86_400_000_000;
/** How long a registered client is kept that nobody signs in with. */
const UNUSED_CLIENT = 1 * DAY;
const IDLE_CLIENT = 90 * DAY;

const toSignIn = ({ person, created_at, expires_at, ...row }: McpSignInRow): McpSignIn => ({
  ...row,
  person: person === null ? null : JSON.parse(person),
  created_at: toIso(created_at),
  expires_at: toIso(expires_at),
});

type SignIns = Pick<
  McpGrantStore["mcpGrants"],
  "registerClient" | "client" | "beginSignIn" | "signIn" | "proveSignIn" | "endSignIn"
>;

/** Deletes clients that nobody signs in with, and has no grant. */
export async function sweepClients({ database }: Pick<StoreContext, "database">): Promise<void> {
  await database
    .deleteFrom("mcp_clients")
    .where((where) =>
      where.or([
        where("last_used_at", "<=", now() - IDLE_CLIENT),
        where.and([
          where("last_used_at", "<=", now() - UNUSED_CLIENT),
          where("last_used_at", "=", where.ref("created_at")),
        ]),
      ]),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("mcp_grants").select("id").whereRef("mcp_grants.client_id", "=", "mcp_clients.id"))),
    )
    .execute();
}

/** The part of the sign-in of MCP clients up to the decision. */
export function mcpSignIns({ database, stamp }: StoreContext): SignIns {
  async function isFull(): Promise<boolean> {
    const { count } = await database
      .selectFrom("mcp_clients")
      .select(({ fn }) => fn.countAll().as("count"))
      .executeTakeFirstOrThrow();
    return Number(count) >= MAX_CLIENTS;
  }

  const current = (id: string) =>
    database.selectFrom("mcp_sign_ins").selectAll().where("id", "=", id).where("expires_at", ">", now());

  return {
    async registerClient({ id, name, redirect_uris }) {
      if (await isFull()) {
        await sweepClients({ database });
        if (await isFull()) return false;
      }
      const created_at = stamp();
      await database
        .insertInto("mcp_clients")
        .values(rejectNul({ id, name, redirect_uris: toJson(redirect_uris), created_at, last_used_at: created_at }))
        .execute();
      return true;
    },

    async client(id) {
      const row = await database.selectFrom("mcp_clients").selectAll().where("id", "=", id).executeTakeFirst();
      return row && { id, name: row.name, redirect_uris: JSON.parse(row.redirect_uris) };
    },

    async beginSignIn({ expires_at, ...signIn }) {
      const { count } = await database
        .selectFrom("mcp_sign_ins")
        .select(({ fn }) => fn.countAll().as("count"))
        .where("workspace_id", "=", signIn.workspace_id)
        .where("expires_at", ">", now())
        .executeTakeFirstOrThrow();
      if (Number(count) >= MAX_SIGN_INS) return false;
      await database
        .insertInto("mcp_sign_ins")
        .values(rejectNul({ ...signIn, person: null, created_at: stamp(), expires_at: fromIso(expires_at) }))
        .execute();
      await database
        .updateTable("mcp_clients")
        .set({ last_used_at: stamp() })
        .where("id", "=", signIn.client_id)
        .execute();
      return true;
    },

    async signIn(id) {
      const row = await current(id).executeTakeFirst();
      return row && toSignIn(row);
    },

    async proveSignIn(workspaceId, id, person) {
      const proven = JSON.stringify(person);
      const row = await database
        .updateTable("mcp_sign_ins")
        .set(rejectNul({ person: proven }))
        .where("id", "=", id)
        .where("workspace_id", "=", workspaceId)
        .where("expires_at", ">", now())
        .where((where) => where.or([where("person", "is", null), where("person", "=", proven)]))
        .returningAll()
        .executeTakeFirst();
      return row && toSignIn(row);
    },

    async endSignIn(id) {
      const row = await database
        .deleteFrom("mcp_sign_ins")
        .where("id", "=", id)
        .where("expires_at", ">", now())
        .returning("id")
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}
