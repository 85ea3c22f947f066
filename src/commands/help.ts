export const help = `Plugboard: one API for many providers, self-hosted.

Usage: plugboard <command> [options]

Commands
  start                                             Serve all surfaces
  sandbox [--port N]                                Serve only the emulated providers
  dashboard [--workspace NAME]                      Print a one-time link that signs in to the dashboard
  keys create --workspace NAME [--sandbox] [--json] Create an API key, and the workspace if it does not exist
              [--name NAME] [--scopes A,B]          (--sandbox: with a connection to every emulated provider;
              [--expires 90d] [--external-id ID]    --scopes: what it may do, everything by default; docs/access.md;
              [--tool-pack ID]                      --tool-pack: only its tools, over Unified MCP; docs/mcp.md)
  keys list [--workspace NAME] [--json]             List the API keys (first characters only)
  keys revoke ID                                    Delete an API key; a running service rejects it within seconds
  keys rotate-encryption                            Switch to a new encryption key and re-encrypt every secret
  audit verify [--workspace NAME]                   Check that no entry of the audit log was changed or removed
  audit list [--workspace NAME] [--json]            List the newest entries of the audit log
  doctor [--json]                                   Find what is misconfigured, and say what to do; changes nothing
  apply -f FILE [--prune] [--yes] [--json]          Make a workspace what a file says, after showing the differences
        [--workspace NAME] [--url URL]              (docs/configuration-as-code.md; the key of another machine's service
        [--key-file FILE]                           may also be in PLUGBOARD_API_KEY)
  apply --export                                    Print the workspace as such a file
  backup FILE                                       Copy the embedded store to a new file, while the service runs
  restore FILE                                      Put a backup in its place, while the service is stopped
  export FILE [--workspace NAME]                    Write everything of the workspaces to a file that is sealed with a
                                                    passphrase (EXPORT_PASSPHRASE, or asked for); docs/moving.md
  import FILE [--dry-run]                           Bring an export into this store: all of it, or nothing
  import --from nango --workspace NAME [--dry-run]  The same with the connections of Nango, from its API
         --url URL | --database URL [--keep-ids]    (NANGO_SECRET_KEY) or its database (NANGO_ENCRYPTION_KEY)
         [--environment NAME]
  listen [--forward URL] [--types A,B] [--json]     Print events as they happen, and forward them, signed like webhooks
         [--since TIME] [--url URL] [--api-key KEY] (the key may also be in PLUGBOARD_API_KEY)
  providers [--json]                                List the providers and their operations
  new-provider ID CATEGORY NAME --dir DIR [--js]    Create a provider of your own, which works for a made-up API
  test-provider DIR/ID ...                          Check providers of your own with the conformance suite

Options
  --help, -h                                        Show this help
  --version, -v                                     Show the version

Plugboard is configured with environment variables, listed in docs/configuration.md. The most important ones:
  PORT (8080), HOST (127.0.0.1), DATA_DIR (./data), SANDBOX (on; off; public), DATABASE_URL, REDIS_URL, ENCRYPTION_KEY,
  WORKERS (1; a number; auto), PROVIDERS_DIR (a folder with providers of your own)`;
