import type { Kysely } from "kysely";
import { type Binding, UNBOUND } from "../contracts/access.ts";
import type { McpGrant, McpGrantStore, TokenHashes } from "../contracts/mcp-grants.ts";
import { inTransaction, type StoreContext } from "./database/context.ts";
import { toJson } from "./database/json.ts";
import type { McpGrantRow } from "./database/mcp-tables.ts";
import { selectMatchingPage } from "./database/paging.ts";
import { rejectNul } from "./database/reject-nul.ts";
import type { Database } from "./database/schema.ts";
import { fromIso, fromIsoOrNull, now, toIso, toIsoOrNull } from "./database/time.ts";
import { mcpSignIns, sweepClients } from "./mcp-sign-ins.ts";
import { toolPacks } from "./tool-packs.ts";
import { toWorkspace } from "./workspaces.ts";

const HOUR = 3_600_000_000;
/** How long a used code is remembered, to notice that it is used again. */
const USED_CODE = 24 * HOUR;
/** How long a grant is kept whose code nobody redeems. */
const UNREDEEMED_GRANT = 1 * HOUR;

const toGrant = ({ key_id: _, ...row }: McpGrantRow): McpGrant => ({
  ...row,
  actor: JSON.parse(row.actor),
  connection_ids: JSON.parse(row.connection_ids),
  call_api: row.call_api === 1,
  may_add_accounts: row.may_add_accounts === 1,
  expires_at: toIsoOrNull(row.expires_at),
  last_used_at: toIsoOrNull(row.last_used_at),
  created_at: toIso(row.created_at),
});

/** Whether a key with this binding may see a grant: it has no connections but the key's own. */
const isVisible = (grant: McpGrant, { external_id, connection_ids }: Binding): boolean =>
  (external_id === null || grant.external_id === external_id) &&
  (connection_ids === null || grant.connection_ids.every((id) => connection_ids.includes(id)));

/** A grant that has not expired. */
async function findGrant(database: Kysely<Database>, id: string): Promise<McpGrant | undefined> {
  const row = await database
    .selectFrom("mcp_grants")
    .selectAll()
    .where("id", "=", id)
    .where((where) => where.or([where("expires_at", "is", null), where("expires_at", ">", now())]))
    .executeTakeFirst();
  return row && toGrant(row);
}

async function addTokens(database: Kysely<Database>, grant_id: string, { access, refresh }: TokenHashes) {
  const row = ({ hash, expires_at }: TokenHashes["access"]) => ({ hash, grant_id, expires_at: fromIso(expires_at) });
  await database.insertInto("mcp_access_tokens").values(row(access)).execute();
  await database
    .insertInto("mcp_refresh_tokens")
    .values({ ...row(refresh), used_at: null })
    .execute();
}

export function mcpGrants(context: StoreContext): McpGrantStore["mcpGrants"] {
  const { database, stamp, write } = context;
  const signIns = mcpSignIns(context);

  return {
    ...signIns,

    grant: (signIn, { actor, connection_ids, expires_at, call_api, may_add_accounts, ...grant }, code) =>
      inTransaction(database, async (transaction) => {
        if (!(await mcpSignIns({ ...context, database: transaction }).endSignIn(signIn.id))) return undefined;
        const row = await transaction
          .insertInto("mcp_grants")
          .values(
            rejectNul({
              ...grant,
              actor: JSON.stringify(actor),
              connection_ids: toJson(connection_ids),
              call_api: Number(call_api),
              may_add_accounts: Number(may_add_accounts),
              expires_at: fromIsoOrNull(expires_at),
              last_used_at: null,
              created_at: stamp(),
            }),
          )
          .returningAll()
          .executeTakeFirstOrThrow();
        const { redirect_uri, code_challenge } = signIn;
        await transaction
          .insertInto("mcp_codes")
          .values({
            hash: code.hash,
            grant_id: row.id,
            redirect_uri,
            code_challenge,
            used_at: null,
            expires_at: fromIso(code.expires_at),
          })
          .execute();
        return toGrant(row);
      }),

    redeemCode: (hash, { client_id, redirect_uri, code_challenge, resource }, tokens) =>
      inTransaction(database, async (transaction) => {
        // First, so that a second attempt waits for this one.
        const used = await transaction
          .updateTable("mcp_codes")
          .set({ used_at: now() })
          .where("hash", "=", hash)
          .where("used_at", "is", null)
          .returningAll()
          .executeTakeFirst();
        const code =
          used ?? (await transaction.selectFrom("mcp_codes").selectAll().where("hash", "=", hash).executeTakeFirst());
        const grant = code && (await findGrant(transaction, code.grant_id));
        if (!grant) return { outcome: "refused" };
        if (!used) return { outcome: "misused", grant };
        if (used.expires_at <= now()) return { outcome: "refused" };
        const isIntended =
          grant.client_id === client_id &&
          used.code_challenge === code_challenge &&
          (redirect_uri === undefined || used.redirect_uri === redirect_uri) &&
          (resource === undefined || grant.resource === resource);
        if (!isIntended) return { outcome: "misused", grant };
        await addTokens(transaction, grant.id, tokens);
        return { outcome: "issued", grant };
      }),

    refresh: (hash, { client_id, resource }, tokens) =>
      inTransaction(database, async (transaction) => {
        const used = await transaction
          .updateTable("mcp_refresh_tokens")
          .set({ used_at: now() })
          .where("hash", "=", hash)
          .where("used_at", "is", null)
          .where("expires_at", ">", now())
          .where("grant_id", "in", (query) => {
            const grants = query.selectFrom("mcp_grants").select("id").where("client_id", "=", client_id);
            return resource === undefined ? grants : grants.where("resource", "=", resource);
          })
          .returning("grant_id")
          .executeTakeFirst();
        const token =
          used ??
          (await transaction
            .selectFrom("mcp_refresh_tokens")
            .select("grant_id")
            .where("hash", "=", hash)
            .where("used_at", "is not", null)
            .executeTakeFirst());
        const grant = token && (await findGrant(transaction, token.grant_id));
        if (grant?.client_id !== client_id) return { outcome: "refused" };
        if (!used) return { outcome: "misused", grant };
        await addTokens(transaction, grant.id, tokens);
        return { outcome: "issued", grant };
      }),

    async byToken(hash) {
      const token = await database
        .selectFrom("mcp_access_tokens")
        .select(["grant_id", "expires_at"])
        .where("hash", "=", hash)
        .where("expires_at", ">", now())
        .executeTakeFirst();
      const grant = token && (await findGrant(database, token.grant_id));
      if (!grant) return undefined;
      const { workspace_id, tool_pack_id } = grant;
      const toolPack = tool_pack_id === null ? undefined : await toolPacks(context).get(workspace_id, tool_pack_id);
      // A client never does more because its pack is missing.
      if (tool_pack_id !== null && !toolPack) return undefined;
      const workspace = await database
        .selectFrom("workspaces")
        .selectAll()
        .where("id", "=", workspace_id)
        .executeTakeFirstOrThrow();
      return {
        grant,
        workspace: toWorkspace(workspace),
        toolPack,
        expires_at: toIso(Math.min(token.expires_at, fromIsoOrNull(grant.expires_at) ?? token.expires_at)),
      };
    },

    async byRefreshToken(hash) {
      const token = await database
        .selectFrom("mcp_refresh_tokens")
        .select("grant_id")
        .where("hash", "=", hash)
        .where("used_at", "is", null)
        .where("expires_at", ">", now())
        .executeTakeFirst();
      return token && findGrant(database, token.grant_id);
    },

    async deleteToken(hash) {
      const row = await database
        .deleteFrom("mcp_access_tokens")
        .where("hash", "=", hash)
        .returning("hash")
        .executeTakeFirst();
      return row !== undefined;
    },

    async get(workspaceId, id, binding = UNBOUND) {
      const grant = await findGrant(database, id);
      return grant?.workspace_id === workspaceId && isVisible(grant, binding) ? grant : undefined;
    },

    async update(workspaceId, id, { tool_pack_id }) {
      const row = await database
        .updateTable("mcp_grants")
        .set({ tool_pack_id })
        .where("workspace_id", "=", workspaceId)
        .where("id", "=", id)
        .where((where) => where.or([where("expires_at", "is", null), where("expires_at", ">", now())]))
        .returningAll()
        .executeTakeFirst();
      return row && toGrant(row);
    },

    async list(workspaceId, page, binding) {
      let query = database
        .selectFrom("mcp_grants")
        .selectAll()
        .where("workspace_id", "=", workspaceId)
        .where((where) => where.or([where("expires_at", "is", null), where("expires_at", ">", now())]));
      if (binding.external_id !== null) query = query.where("external_id", "=", binding.external_id);
      // Only code can look into the list of connections.
      const matches = (row: McpGrantRow) => isVisible(toGrant(row), binding);
      const rows = await selectMatchingPage(database, ["mcp_grants", workspaceId], page, query, matches);
      return rows.map(toGrant);
    },

    async used(uses) {
      await write(async (transaction) => {
        for (const { id, at } of uses) {
          const last_used_at = fromIso(at);
          await transaction
            .updateTable("mcp_grants")
            .set({ last_used_at })
            .where("id", "=", id)
            // Another process may have written a later use.
            .where(({ eb, or }) => or([eb("last_used_at", "is", null), eb("last_used_at", "<", last_used_at)]))
            .execute();
        }
      });
    },

    async delete(workspaceId, id, binding = UNBOUND) {
      const grant = await findGrant(database, id);
      if (!grant || !isVisible(grant, binding)) return false;
      const row = await database
        .deleteFrom("mcp_grants")
        .where("workspace_id", "=", workspaceId)
        .where("id", "=", id)
        .returning("id")
        .executeTakeFirst();
      return row !== undefined;
    },

    async sweep() {
      await database.deleteFrom("mcp_sign_ins").where("expires_at", "<=", now()).execute();
      await database.deleteFrom("mcp_access_tokens").where("expires_at", "<=", now()).execute();
      await database.deleteFrom("mcp_refresh_tokens").where("expires_at", "<=", now()).execute();
      await database.deleteFrom("mcp_grants").where("expires_at", "<=", now()).execute();
      await database
        .deleteFrom("mcp_grants")
        .where("created_at", "<=", now() - UNREDEEMED_GRANT)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom("mcp_refresh_tokens")
                .select("hash")
                .whereRef("mcp_refresh_tokens.grant_id", "=", "mcp_grants.id"),
            ),
          ),
        )
        .execute();
      await database
        .deleteFrom("mcp_codes")
        .where("expires_at", "<=", now() - USED_CODE)
        .execute();
      await sweepClients(context);
    },
  };
}
