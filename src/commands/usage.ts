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
