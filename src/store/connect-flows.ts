import type { ConnectCode, ConnectSession } from "../contracts/entities.ts";
import type { Store } from "../contracts/store.ts";
import type { Context } from "./context.ts";
import { toJson } from "./json.ts";
import { rejectNul } from "./reject-nul.ts";
import type { ConnectSessionRow } from "./schema.ts";
import type { StoredSecrets } from "./stored-secrets.ts";
import { fromIso, now, toIso } from "./time.ts";
import type { SecretLocation } from "./vault.ts";

const verifierLocation = (id: string): SecretLocation => ({ table: "connect_sessions", id, column: "code_verifier" });

/** A session whose verifier cannot be decrypted is as good as expired: the user has to start again. */
function toSession(row: ConnectSessionRow, secrets: StoredSecrets): ConnectSession | undefined {
  const code_verifier =
    row.code_verifier === null ? null : secrets.decrypt(row.code_verifier, verifierLocation(row.id));
  if (code_verifier === undefined) return undefined;
  return {
    id: row.id,
    workspace_id: row.workspace_id,
    integration_id: row.integration_id,
    redirect_uri: row.redirect_uri,
    external_id: row.external_id,
    client_state: row.client_state,
    connection_id: row.connection_id,
    code_verifier,
    browser: row.browser,
    settings: JSON.parse(row.settings),
    expires_at: toIso(row.expires_at),
  };
}

/** Expired sessions and codes are never returned, even before they are deleted. */
export function connectFlows({ database, keyring, secrets, clock }: Context): Store["connectFlows"] {
  return {
    async open(session) {
      const { id, workspace_id, integration_id, redirect_uri, external_id, client_state, connection_id } = session;
      const { code_verifier, browser, settings, expires_at } = session;
      await database
        .insertInto("connect_sessions")
        .values(
          rejectNul({
            id,
            workspace_id,
            integration_id,
            redirect_uri,
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
      return row && toSession(row, secrets);
    },

    async take(id) {
      const row = await database
        .deleteFrom("connect_sessions")
        .where("id", "=", id)
        .where("expires_at", ">", now())
        .returningAll()
        .executeTakeFirst();
      return row && toSession(row, secrets);
    },

    async issue({ hash, workspace_id, redirect_uri, connection_id, expires_at }) {
      await database
        .insertInto("connect_codes")
        .values(rejectNul({ hash, workspace_id, redirect_uri, connection_id, expires_at: fromIso(expires_at) }))
        .execute();
    },

    async redeem(hash): Promise<ConnectCode | undefined> {
      const row = await database
        .deleteFrom("connect_codes")
        .where("hash", "=", hash)
        .where("expires_at", ">", now())
        .returningAll()
        .executeTakeFirst();
      return row && { ...row, expires_at: toIso(row.expires_at) };
    },

    async sweep() {
      await database.deleteFrom("connect_sessions").where("expires_at", "<=", now()).execute();
      await database.deleteFrom("connect_codes").where("expires_at", "<=", now()).execute();
      await database.deleteFrom("locks").where("expires_at", "<=", clock).execute();
    },
  };
}
