import type { ConnectCode, PendingConsent } from "../contracts/entities.ts";
import type { ConnectionChange, Store } from "../contracts/store.ts";
import { connections } from "./connections.ts";
import type { Context } from "./context.ts";
import { toJson } from "./json.ts";
import { rejectNul } from "./reject-nul.ts";
import type { PendingConsentRow } from "./schema.ts";
import type { StoredSecrets } from "./stored-secrets.ts";
import { fromIso, now, toIso } from "./time.ts";
import type { SecretLocation } from "./vault.ts";

const changesLocation = (id: string): SecretLocation => ({ table: "reconnect_codes", id, column: "changes" });
const verifierLocation = (id: string): SecretLocation => ({ table: "connect_sessions", id, column: "code_verifier" });

/** A consent whose verifier cannot be decrypted is as good as expired: the user has to start again. */
function toConsent(row: PendingConsentRow, secrets: StoredSecrets): PendingConsent | undefined {
  const code_verifier =
    row.code_verifier === null ? null : secrets.decrypt(row.code_verifier, verifierLocation(row.id));
  if (code_verifier === undefined) return undefined;
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
    browser: row.browser,
    settings: JSON.parse(row.settings),
    expires_at: toIso(row.expires_at),
  };
}

type IssuedFor = Pick<ConnectCode, "workspace_id" | "redirect_uri">;

const isIssuedFor = (code: IssuedFor, { workspace_id, redirect_uri }: IssuedFor) =>
  code.workspace_id === workspace_id && code.redirect_uri === redirect_uri;

/** Expired consents and codes are never returned, even before they are deleted. */
export function connectFlows(context: Context): Store["connectFlows"] {
  const { database, keyring, secrets, clock } = context;

  /** Undefined if it cannot be decrypted: the code is then as good as expired. */
  function readChanges(hash: string, changes: string): ConnectionChange | undefined {
    const text = secrets.decrypt(changes, changesLocation(hash));
    return text === undefined ? undefined : { ...JSON.parse(text), is_valid: true, invalid_reason: null };
  }

  /** The code is used up if and only if the connection has been changed, or the code was issued for something else. */
  async function redeemReconnect(hash: string, issuedFor: IssuedFor) {
    // Most codes that are not found are wrong: only one that exists is worth a transaction.
    const found = await database.selectFrom("reconnect_codes").select("id").where("id", "=", hash).executeTakeFirst();
    if (!found) return undefined;
    return database.transaction().execute(async (transaction) => {
      const code = await transaction
        .deleteFrom("reconnect_codes")
        .where("id", "=", hash)
        .where("expires_at", ">", now())
        .returning(["workspace_id", "redirect_uri", "connection_id", "changes"])
        .executeTakeFirst();
      const changes = code && isIssuedFor(code, issuedFor) ? readChanges(hash, code.changes) : undefined;
      return changes && connections({ ...context, database: transaction }).update(code!.connection_id, changes);
    });
  }

  return {
    async open(consent) {
      const { id, workspace_id, integration_id, redirect_uri, external_id, client_state, connection_id } = consent;
      const { session_id, code_verifier, browser, settings, expires_at } = consent;
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

    async issue({ hash, workspace_id, redirect_uri, connection_id, expires_at, reconnect }) {
      const columns = { workspace_id, redirect_uri, connection_id, expires_at: fromIso(expires_at) };
      if (reconnect === null) {
        await database
          .insertInto("connect_codes")
          .values(rejectNul({ hash, ...columns }))
          .execute();
        return;
      }
      const changes = keyring.encrypt(JSON.stringify(reconnect), changesLocation(hash));
      await database
        .insertInto("reconnect_codes")
        .values(rejectNul({ id: hash, ...columns, changes }))
        .execute();
    },

    async redeem(hash, issuedFor) {
      const code = await database
        .deleteFrom("connect_codes")
        .where("hash", "=", hash)
        .where("expires_at", ">", now())
        .returning(["workspace_id", "redirect_uri", "connection_id"])
        .executeTakeFirst();
      if (!code) return redeemReconnect(hash, issuedFor);
      return isIssuedFor(code, issuedFor) ? connections(context).get(code.workspace_id, code.connection_id) : undefined;
    },

    async sweep() {
      await database.deleteFrom("connect_links").where("expires_at", "<=", now()).execute();
      await database.deleteFrom("connect_sessions").where("expires_at", "<=", now()).execute();
      await database.deleteFrom("connect_codes").where("expires_at", "<=", now()).execute();
      await database.deleteFrom("reconnect_codes").where("expires_at", "<=", now()).execute();
      await database.deleteFrom("locks").where("expires_at", "<=", clock).execute();
    },
  };
}
