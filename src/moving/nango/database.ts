import { createDecipheriv } from "node:crypto";
import type { Client } from "pg";
import { type NangoConnection, NangoProblem, type NangoSource } from "./source.ts";

const PAGE_SIZE = 500;

interface IntegrationRow {
  unique_key: string;
  provider: string;
  display_name: string | null;
  oauth_client_id: string | null;
  oauth_client_secret: string | null;
  oauth_client_secret_iv: string | null;
  oauth_client_secret_tag: string | null;
  oauth_scopes: string | null;
  created_at: Date;
}

interface ConnectionRow {
  id: number;
  connection_id: string;
  unique_key: string;
  end_user: string | null;
  metadata: NangoConnection["metadata"];
  connection_config: NangoConnection["config"] | null;
  credentials: { encrypted_credentials?: string } & NangoConnection["credentials"];
  credentials_iv: string | null;
  credentials_tag: string | null;
  created_at: Date;
  updated_at: Date;
}

/**
 * Reads from the Postgres database of a self-hosted Nango. Its secrets are encrypted with AES-256-GCM: value, nonce and
 * tag are three texts in base64. Without an encryption key, they are stored as they are.
 */
export async function nangoDatabase(
  address: string,
  { encryptionKey, environment }: { encryptionKey: string | undefined; environment: string | undefined },
): Promise<NangoSource> {
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString: address, application_name: "plugboard import" });
  client.on("error", () => {});
  try {
    await client.connect();
    // Everything as of one moment.
    await client.query("start transaction isolation level repeatable read read only");
    const environmentId = await findEnvironment(client, environment);
    return readFrom(client, environmentId, createDecrypt(encryptionKey));
  } catch (error) {
    await client.end().catch(() => {});
    throw error instanceof NangoProblem
      ? error
      : new NangoProblem("Nango's database cannot be read", { cause: error as Error });
  }
}

async function findEnvironment(client: Client, name: string | undefined): Promise<number> {
  const { rows } = await client.query<{ id: number; name: string }>(
    "select id, name from _nango_environments where deleted is not true order by id",
  );
  const found = name === undefined ? rows : rows.filter((row) => row.name === name || String(row.id) === name);
  if (found.length === 1) return found[0]!.id;
  const list = rows.map((row) => `${row.name} (${row.id})`).join(", ");
  throw new NangoProblem(`choose an environment of Nango with --environment NAME, or its number: ${list}`);
}

type Decrypt = (value: string, iv: string | null, tag: string | null) => string;

const createDecrypt =
  (key: string | undefined): Decrypt =>
  (value, iv, tag) => {
    if (!iv || !tag) return value;
    if (!key) throw new NangoProblem("Nango's secrets are encrypted: set NANGO_ENCRYPTION_KEY");
    try {
      const decipher = createDecipheriv("aes-256-gcm", Buffer.from(key, "base64"), Buffer.from(iv, "base64"), {
        authTagLength: 16,
      }).setAuthTag(Buffer.from(tag, "base64"));
      return decipher.update(value, "base64", "utf8") + decipher.final("utf8");
    } catch {
      throw new NangoProblem("NANGO_ENCRYPTION_KEY is not the key of Nango's database");
    }
  };

function readFrom(client: Client, environmentId: number, decrypt: Decrypt): NangoSource {
  return {
    async integrations() {
      const { rows } = await client.query<IntegrationRow>(
        `select unique_key, provider, display_name, oauth_client_id, oauth_client_secret, oauth_client_secret_iv,
           oauth_client_secret_tag, oauth_scopes, created_at
         from _nango_configs where environment_id = $1 and deleted is not true order by id`,
        [environmentId],
      );
      return rows.map((row) => ({
        key: row.unique_key,
        provider: row.provider,
        name: row.display_name,
        client_id: row.oauth_client_id || null,
        client_secret: row.oauth_client_secret
          ? decrypt(row.oauth_client_secret, row.oauth_client_secret_iv, row.oauth_client_secret_tag)
          : null,
        scopes: row.oauth_scopes,
        created_at: row.created_at.toISOString(),
      }));
    },

    async *connections() {
      for (let after = 0; ; ) {
        const { rows } = await client.query<ConnectionRow>(
          `select c.id, c.connection_id, i.unique_key, u.end_user_id as end_user, c.metadata, c.connection_config,
             c.credentials, c.credentials_iv, c.credentials_tag, c.created_at, c.updated_at
           from _nango_connections c
           join _nango_configs i on i.id = c.config_id
           left join end_users u on u.id = c.end_user_id
           where c.environment_id = $1 and c.deleted is not true and c.id > $2 order by c.id limit ${PAGE_SIZE}`,
          [environmentId, after],
        );
        for (const row of rows) {
          const { encrypted_credentials: encrypted, ...plain } = row.credentials;
          yield {
            connection_id: row.connection_id,
            integration: row.unique_key,
            end_user_id: row.end_user,
            metadata: row.metadata,
            config: row.connection_config ?? {},
            credentials: encrypted ? JSON.parse(decrypt(encrypted, row.credentials_iv, row.credentials_tag)) : plain,
            created_at: row.created_at.toISOString(),
            updated_at: row.updated_at.toISOString(),
          };
        }
        if (rows.length < PAGE_SIZE) return;
        after = rows.at(-1)!.id;
      }
    },

    close: () => client.end(),
  };
}
