import { type ParseArgsConfig, parseArgs } from "node:util";

/** The command line itself is wrong. */
export class UsageError extends Error {}

/** `parseArgs`, with its complaints in one short line. */
export function readArgs<const Config extends ParseArgsConfig>(config: Config) {
  try {
    return parseArgs(config);
  } catch (error) {
    const [complaint = "wrong arguments"] = (error as Error).message.split(". ");
    throw new UsageError(complaint.charAt(0).toLowerCase() + complaint.slice(1));
  }
}
