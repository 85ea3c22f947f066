export const help = `Plugboard: one API for many providers, on your own machine.

Usage: plugboard <command> [options]

Commands
  start                                 Serve all surfaces
  sandbox [--port N]                    Serve the emulated providers alone
  keys create --workspace NAME [--json] Make an API key, and the workspace if there is none of that name
  keys list [--workspace NAME] [--json] Show the keys by their first characters
  keys revoke ID                        Delete a key; a running service learns of it within seconds
  keys rotate-encryption                Make a new encryption key and encrypt every secret again
  providers [--json]                    Show the providers and what each can do

Options
  --help, -h                            Show this
  --version, -v                         Show the version

Settings come from the environment; docs/configuration.md lists them. The first ones to know:
  PORT (8080), HOST (127.0.0.1), DATA_DIR (./data), SANDBOX (on), DATABASE_URL, REDIS_URL, ENCRYPTION_KEY`;
