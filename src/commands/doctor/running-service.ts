import { VERSION } from "../../runtime/version.ts";
import { type Check, reasonOf } from "./context.ts";
import { ask } from "./http.ts";

/** Nothing listens. After any other failure, something does that is not Plugboard. */
const ABSENT = ["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "ENOTFOUND", "EAI_AGAIN"];

/** The service of this configuration, if it runs on this machine. */
export const runningService: Check = {
  name: "running service",
  async run({ config, report, known, machine }) {
    if (config.port === 0) return "PORT is 0, so its port is not known";
    const url = `${config.localUrl}/healthz`;
    const answer = await ask(url, machine).catch(reasonOf);
    if (typeof answer === "string" && ABSENT.includes(answer)) return "it does not run on this machine";
    const { status, version } =
      typeof answer === "string" ? {} : (answer.json as { status?: unknown; version?: unknown });
    if (status !== "ok" || typeof version !== "string") {
      report(
        "port-taken",
        `PORT: another program than Plugboard listens at ${config.localUrl}`,
        "Stop that program, or choose another PORT.",
      );
      return undefined;
    }
    known.isRunning = true;
    if (version !== VERSION)
      report(
        "version-differs",
        `The service that runs at ${config.localUrl} has version ${version}, and this command has ${VERSION}`,
        "Restart the service after an upgrade, one process after the other.",
      );
    const ready = await ask(`${config.localUrl}/readyz`, machine);
    const { store, coordination } = ready.json as { store?: unknown; coordination?: unknown };
    if (ready.status !== 200)
      report(
        "service-not-ready",
        `The service at ${config.localUrl} is not ready: database ${store}, Redis ${coordination}`,
        "Correct what is found about the database; the service then recovers by itself. Its log has more.",
      );
    return undefined;
  },
};
