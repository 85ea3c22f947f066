export type Severity = "error" | "warning";

/** Something that is wrong, and what to do about it. Neither text contains a secret. */
export interface Finding {
  id: FindingId;
  severity: Severity;
  problem: string;
  fix: string;
}

/** Everything that can be found. `docs/running.md` has the same table. */
export const catalogue = {
  "setting-invalid": ["error", "a setting is not valid, is missing, or conflicts with another one"],
  "setting-misspelled": ["warning", "a variable is unknown, and looks like a setting"],
  "secret-file-exposed": ["warning", "every user of the machine can read the file of a secret"],
  "tls-verification-off": ["error", "`NODE_TLS_REJECT_UNAUTHORIZED=0`: no certificate is checked"],
  "ca-file-unusable": ["error", "the file of `NODE_EXTRA_CA_CERTS` cannot be read, or has no valid certificate"],
  "sandbox-public": ["warning", "the emulated providers are open to everybody who can reach the service"],
  "private-upstreams-open": ["warning", "users can make a public service call any address of its private network"],
  "address-missing": ["warning", "some public addresses are not set, and lead to this machine"],
  "providers-invalid": ["error", "a provider of `PROVIDERS_DIR` cannot be loaded"],

  "open-files-low": ["warning", "the limit of open files allows few calls at the same time"],
  "data-dir-unusable": ["error", "this user cannot read or write `DATA_DIR`, or a file in it"],
  "data-dir-network": ["error", "`DATA_DIR` is on a network file system, on which SQLite loses data"],
  "data-dir-temporary": ["warning", "`DATA_DIR` is in memory, or in a container without a volume"],
  "file-exposed": ["error", "other users of the machine can read the key, the database or `sandbox.json`"],
  "disk-full": ["error", "less than 64 MB are free in `DATA_DIR`"],
  "disk-low": ["warning", "less than 1 GB is free in `DATA_DIR`"],

  "key-missing": ["error", "there is a database, but not its key file"],
  "key-invalid": ["error", "the key file has something else than keys"],
  "key-command-failed": ["error", "`ENCRYPTION_KEY_COMMAND` fails, or prints no key"],
  "key-command-slow": ["warning", "`ENCRYPTION_KEY_COMMAND` takes longer than 5 s, which each start waits for"],
  "key-wrong": ["error", "the key is not the one that the database's secrets are encrypted with"],

  "database-unreadable": ["error", "the SQLite file cannot be opened, or is damaged"],
  "database-newer": ["error", "the database was migrated by a newer version"],
  "migrations-pending": ["warning", "the database is of an earlier version, and the next start migrates it"],
  "postgres-unreachable": ["error", "Postgres does not answer at the address of `DATABASE_URL`"],
  "postgres-refused": ["error", "Postgres refuses the user or the password"],
  "postgres-database-missing": ["error", "the database of `DATABASE_URL` does not exist"],
  "postgres-tls": ["error", "Postgres requires TLS, has none, or has a certificate that is not trusted"],
  "postgres-encoding": ["error", "the database's encoding is not UTF8"],
  "postgres-rights": ["error", "the user may not create tables in the schema, or there is no schema"],
  "postgres-read-only": ["error", "the server is a replica, or the database is read-only"],
  "postgres-durability": ["warning", "`synchronous_commit` is off: a crash of the server loses refreshed tokens"],
  "postgres-connections": ["error", "Postgres allows fewer connections than the workers open"],

  "redis-unreachable": ["error", "Redis does not answer at the address of `REDIS_URL`, or no Sentinel knows it"],
  "redis-refused": ["error", "Redis refuses the user or the password"],
  "redis-rights": ["error", "the user may not run the commands that rate limits and locks need"],
  "redis-cluster": ["error", "the server is part of a Redis Cluster"],
  "redis-read-only": ["error", "the server is a replica"],
  "redis-memory": ["warning", "more than 90 % of the memory that Redis may use is in use"],
  "redis-evicts": ["warning", "Redis has removed keys to free memory, so rate limits are not exact"],

  "port-taken": ["error", "another program listens on `PORT`"],
  "service-not-ready": ["error", "the running service says at `/readyz` that it is not ready"],
  "version-differs": ["warning", "the running service has another version than this command"],
  "clock-differs": ["warning", "the clock differs by more than 5 s from that of Postgres, Redis or a public address"],

  "address-insecure": ["warning", "a public address is http: keys and tokens are sent in clear text"],
  "address-unresolvable": ["error", "the name of a public address has no IP address"],
  "address-unreachable": ["warning", "a public address does not answer this machine although the service runs"],
  "address-other": ["error", "something else than this API answers at a public address"],
  "address-redirects": ["error", "a public address redirects elsewhere: clients do not send their key there"],
  "certificate-expired": ["error", "the certificate of a public address is not valid any more, or not yet"],
  "certificate-expiring": [
    "warning",
    "the certificate of a public address expires within 14 days, and was to be renewed",
  ],
  "certificate-name": ["error", "the certificate of a public address is for another name"],
  "certificate-untrusted": ["error", "the certificate's issuer is unknown, or the server leaves out intermediate ones"],
  "proxy-host": ["error", "the reverse proxy replaces the `Host` of requests"],
  "proxy-forwarded-for": ["warning", "the reverse proxy does not set `X-Forwarded-For`"],
  "metrics-public": ["warning", "`/metrics` can be read at a public address"],

  "outbound-proxy-unreachable": ["error", "the proxy of `HTTPS_PROXY` or `HTTP_PROXY` does not answer"],
  "outbound-proxy-partial": ["warning", "only `HTTP_PROXY` is set, but providers are called over https"],
  "no-proxy-invalid": ["warning", "an entry of `NO_PROXY` cannot match anything"],
  "oidc-unreachable": ["error", "the issuer of `OIDC_ISSUER` does not answer"],
  "oidc-invalid": ["error", "the issuer's discovery document is not valid, or is of another issuer"],
  "oidc-workspace-unknown": ["warning", "`OIDC_ROLES` names a workspace that does not exist"],
  "telemetry-refused": ["warning", "the OpenTelemetry collector does not answer, or refuses what is sent"],

  "webhook-refused": ["warning", "a webhook's address is private or not encrypted, and not allowed"],
  "webhook-unreachable": ["warning", "no connection can be made to a webhook's address"],
  "webhook-failing": ["warning", "a webhook's endpoint has been failing"],
  "webhook-disabled": ["warning", "a webhook was turned off because its endpoint kept failing"],
  "subscription-failing": ["warning", "the last runs of a subscription failed"],
  "connections-invalid": ["warning", "at least 10 connections to a provider, and most of them, are invalid"],
  "integration-refused": ["warning", "an integration's own address is private, and not allowed"],
  "integration-sandbox-off": ["warning", "an integration uses an emulated provider, but the sandbox is off"],
  "provider-missing": ["warning", "an integration's provider does not exist (any more)"],

  "check-unfinished": ["warning", "a check failed itself, or took too long"],
} as const satisfies Record<string, readonly [Severity, string]>;

export type FindingId = keyof typeof catalogue;
