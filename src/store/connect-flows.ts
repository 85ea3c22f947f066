import type { ConnectCode, PendingConsent } from "../contracts/entities.ts";
import type { Store } from "../contracts/store.ts";
import { connections } from "./connections.ts";
import type { PendingConsentRow } from "./database/connect-tables.ts";
import { inTransaction, type StoreContext } from "./database/context.ts";
import { toJson } from "./database/json.ts";
import { rejectNul } from "./database/reject-nul.ts";
import { fromIso, now, toIso } from "./database/time.ts";
import type { StoredSecrets } from "./secrets/stored-secrets.ts";
import type { SecretLocation } from "./secrets/vault.ts";

/** Codes for connections that do not exist yet, and for those that do. */
const codeTables = ["pending_connections", "reconnect_codes"] as const;
type CodeTable = (typeof codeTables)[number];

const changesLocation = (table: CodeTable, id: string): SecretLocation => ({ table, id, column: "changes" });
const signInLocation = (id: string): SecretLocation => ({ table: "connect_sessions", id, column: "sign_in" });
const verifierLocation = (id: string): SecretLocation => ({ table: "connect_sessions", id, column: "code_verifier" });

/** A consent whose secrets cannot be decrypted is as good as expired: the user has to start again. */
function toConsent(row: PendingConsentRow, secrets: StoredSecrets): PendingConsent | undefined {
  const code_verifier =
    row.code_verifier === null ? null : secrets.decrypt(row.code_verifier, verifierLocation(row.id));
  const sign_in = row.sign_in === null ? "null" : secrets.decrypt(row.sign_in, signInLocation(row.id));
  if (code_verifier === undefined || sign_in === undefined) return undefined;
  return {
    id: row.id,
    workspace_id: row.workspace_id,
    integration_id: row.integration_id,
    session_id: row.session_id,
    redirect_uri: row.redirect_uri || null,
    external_id: row.external_id,
    client_state: row.client_state,
    connection_id: row.connection_id,
    code_verifier,
    sign_in: JSON.parse(sign_in),
    browser: row.browser,
    settings: JSON.parse(row.settings),
    expires_at: toIso(row.expires_at),
  };
}

type IssuedFor = Pick<ConnectCode, "workspace_id" | "redirect_uri">;

const isIssuedFor = (code: IssuedFor, { workspace_id, redirect_uri }: IssuedFor) =>
  code.workspace_id === workspace_id && code.redirect_uri === redirect_uri;

/** Stores a code with what happens when it is redeemed. */
export async function issueCode(
  { database, keyring }: Pick<StoreContext, "database" | "keyring">,
  { hash: id, workspace_id, redirect_uri, connection_id, expires_at, changes, creates }: ConnectCode,
): Promise<void> {
  const table = creates ? "pending_connections" : "reconnect_codes";
  const text = JSON.stringify(creates ? { ...changes, creates } : changes);
  await database
    .insertInto(table)
    .values(
      rejectNul({
        id,
        workspace_id,
        redirect_uri,
        connection_id,
        changes: keyring.encrypt(text, changesLocation(table, id)),
        expires_at: fromIso(expires_at),
      }),
    )
    .execute();
}

/** Expired consents and codes are never returned, even before they are deleted. */
export function connectFlows(context: StoreContext): Store["connectFlows"] {
  const { database, keyring, secrets, clock } = context;

  /**
   * The code is used up if and only if the connection has been created or changed, or the code was issued for something
   * else, or cannot be decrypted, which is as good as expired.
   */
  const redeemFrom = (table: CodeTable, hash: string, issuedFor: IssuedFor) =>
    inTransaction(database, async (transaction) => {
      const code = await transaction
        .deleteFrom(table)
        .where("id", "=", hash)
        .where("expires_at", ">", now())
        .returning(["workspace_id", "redirect_uri", "connection_id", "changes"])
        .executeTakeFirst();
      if (!code || !isIssuedFor(code, issuedFor)) return undefined;
      const text = secrets.decrypt(code.changes, changesLocation(table, hash));
      if (text === undefined) return undefined;
      const { creates, ...changes }: ConnectCode["changes"] & Partial<Pick<ConnectCode, "creates">> = JSON.parse(text);
      const { connection_id: id, workspace_id } = code;
      const stored = connections({ ...context, database: transaction });
      const granted = { ...changes, is_valid: true, invalid_reason: null };
      // A form that is submitted twice has two codes for one connection.
      const changed = await stored.update(id, granted);
      if (changed || !creates) return changed;
      return stored.create({ ...granted, ...creates, id, workspace_id, refreshed_at: null });
    });

  return {
    async open(consent) {
      const { id, workspace_id, integration_id, redirect_uri, external_id, client_state, connection_id } = consent;
      const { session_id, code_verifier, sign_in, browser, settings, expires_at } = consent;
      await database
        .insertInto("connect_sessions")
        .values(
          rejectNul({
            id,
            workspace_id,
            integration_id,
            session_id,
            // A process of an earlier version does not know the session, and refuses to return to an empty address.
            redirect_uri: redirect_uri ?? "",
            external_id,
            client_state,
            connection_id,
            code_verifier: code_verifier === null ? null : keyring.encrypt(code_verifier, verifierLocation(id)),
            sign_in: sign_in === null ? null : keyring.encrypt(JSON.stringify(sign_in), signInLocation(id)),
            browser,
            settings: toJson(settings),
            expires_at: fromIso(expires_at),
          }),
        )
        .execute();
    },

    async get(id) {
      const row = await database
        .selectFrom("connect_sessions")
        .selectAll()
        .where("id", "=", id)
        .where("expires_at", ">", now())
        .executeTakeFirst();
      return row && toConsent(row, secrets);
    },

    async take(id) {
      const row = await database
        .deleteFrom("connect_sessions")
        .where("id", "=", id)
        .where("expires_at", ">", now())
        .returningAll()
        .executeTakeFirst();
      return row && toConsent(row, secrets);
    },

    issue: (code) => issueCode(context, code),

    async unredeemed(workspaceId) {
      const counts = await Promise.all(
        codeTables.map((table) =>
          database
            .selectFrom(table)
            .select(({ fn }) => fn.countAll().as("count"))
            .where("workspace_id", "=", workspaceId)
            .where("expires_at", ">", now())
            .executeTakeFirstOrThrow(),
        ),
      );
      return counts.reduce((sum, { count }) => sum + Number(count), 0);
    },

    async redeem(hash, issuedFor) {
      for (const table of codeTables) {
        // Most codes that are not found are wrong: only one that exists is worth a transaction.
        const found = await database
          .selectFrom(table)
          .select(["workspace_id", "connection_id"])
          .where("id", "=", hash)
          .executeTakeFirst();
        if (!found) continue;
        try {
          return await redeemFrom(table, hash, issuedFor);
        } catch (error) {
          // Another code has just created the same connection, so that this one changes it.
          if (!(await connections(context).get(found.workspace_id, found.connection_id))) throw error;
          return redeemFrom(table, hash, issuedFor);
        }
      }
      // A process of the previous version issued it.
      const code = await database
        .deleteFrom("connect_codes")
        .where("hash", "=", hash)
        .where("expires_at", ">", now())
        .returning(["workspace_id", "redirect_uri", "connection_id"])
        .executeTakeFirst();
      if (!code || !isIssuedFor(code, issuedFor)) return undefined;
      return connections(context).get(code.workspace_id, code.connection_id);
    },

    async sweep() {
      await database.deleteFrom("connect_links").where("expires_at", "<=", now()).execute();
      await database.deleteFrom("connect_sessions").where("expires_at", "<=", now()).execute();
      await database.deleteFrom("connect_codes").where("expires_at", "<=", now()).execute();
      for (const table of codeTables) await database.deleteFrom(table).where("expires_at", "<=", now()).execute();
      await database.deleteFrom("locks").where("expires_at", "<=", clock).execute();
    },
  };
}
