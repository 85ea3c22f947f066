import { type ParseArgsConfig, parseArgs } from "node:util";

/** The command line is invalid. */
export class UsageError extends Error {}

/** Calls `parseArgs` and shortens its error messages to one line. */
export function readArgs<const Config extends ParseArgsConfig>(config: Config) {
  try {
    return parseArgs(config);
  } catch (error) {
    const [message = "invalid arguments"] = (error as Error).message.split(". ");
    throw new UsageError(message.charAt(0).toLowerCase() + message.slice(1));
  }
}

/** The value of an option that takes an address. */
export function httpAddress(text: string, option: string): string {
  const url = URL.parse(text);
  if (!url || !["http:", "https:"].includes(url.protocol))
    throw new UsageError(`${option} must be an http or https address, such as http://127.0.0.1:8080`);
  return text;
}
