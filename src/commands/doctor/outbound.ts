import { connect as connectPlain, isIP } from "node:net";
import { connect as connectEncrypted } from "node:tls";
import type { Signal } from "../../contracts/telemetry.ts";
import { createOpenIdConnect, SignInFailure } from "../../engine/openid-connect.ts";
import { isAddressRange } from "../../runtime/address-list.ts";
import { createExporter } from "../../runtime/otel/otlp-exporter.ts";
import { portOf, withoutBrackets } from "../../runtime/outbound-proxy.ts";
import { CALL_TIMEOUT_MS, type Check, reasonOf } from "./context.ts";

/** Opens a connection and closes it. */
function touch(url: URL): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const host = withoutBrackets(url.hostname);
  const port = Number(portOf(url));
  const isEncrypted = url.protocol === "https:";
  const socket = isEncrypted
    ? connectEncrypted({ host, port, ...(isIP(host) ? {} : { servername: host }) })
    : connectPlain({ host, port });
  socket.setTimeout(CALL_TIMEOUT_MS, () => socket.destroy(new Error("no answer")));
  socket.on(isEncrypted ? "secureConnect" : "connect", () => resolve());
  socket.on("error", reject);
  return promise.finally(() => socket.destroy());
}

/** An address with a scheme or a path, or a `*` that is not all of a name's beginning. */
const cannotMatch = (entry: string) =>
  !isAddressRange(entry) && (/[/@]/.test(entry) || (entry.includes("*") && !/^\*(\.[^*]+)?$/.test(entry)));

export const outboundProxy: Check = {
  name: "outbound proxy",
  async run({ config, report }) {
    const { proxy } = config;
    if (!proxy) return "HTTPS_PROXY is not set";
    for (const address of new Set([proxy.https, proxy.http]))
      if (address)
        await touch(new URL(address)).catch((error: unknown) =>
          report(
            "outbound-proxy-unreachable",
            `${address === proxy.https ? "HTTPS_PROXY" : "HTTP_PROXY"}: the proxy at ${new URL(address).host} cannot be used: ${reasonOf(error)}`,
            "Start the proxy, or correct its address: nothing outside can be called without it.",
          ),
        );
    if (!proxy.https)
      report(
        "outbound-proxy-partial",
        "HTTP_PROXY is set and HTTPS_PROXY is not: providers, which are called over https, are called without the proxy",
        "Set HTTPS_PROXY as well. If https needs no proxy here, ignore this.",
      );
    const invalid = proxy.exceptions.filter(cannotMatch);
    if (invalid.length > 0)
      report(
        "no-proxy-invalid",
        `NO_PROXY: ${invalid.join(", ")} cannot match any host`,
        "Give names (which include their subdomains), addresses or ranges, without a scheme and without a path.",
      );
    return undefined;
  },
};

export const identityProvider: Check = {
  name: "identity provider",
  async run({ config, report, known }) {
    const { oidc, allowPrivateUpstreams, proxy } = config;
    if (!oidc) return "OIDC_ISSUER is not set";
    const redirectUri = `${config.dashboardUrl}/oidc/callback`;
    const client = createOpenIdConnect({
      settings: oidc,
      redirectUri,
      allowPrivateUpstreams,
      proxy,
      timeoutMs: CALL_TIMEOUT_MS,
    });
    try {
      await client.authorizationUrl({ state: "doctor", nonce: "doctor", verifier: "doctor" });
    } catch (error) {
      if (!(error instanceof SignInFailure)) throw error;
      const isUnavailable = error.reason === "unavailable";
      report(
        isUnavailable ? "oidc-unreachable" : "oidc-invalid",
        `OIDC_ISSUER: nobody can sign in at ${oidc.issuer}: ${error.message}`,
        isUnavailable
          ? "Correct OIDC_ISSUER, or let this machine reach it (HTTPS_PROXY, firewall, NODE_EXTRA_CA_CERTS)."
          : "Set OIDC_ISSUER exactly to the issuer that its discovery document names: curl ISSUER/.well-known/openid-configuration",
      );
    } finally {
      await client.close();
    }
    const names = known.stored?.workspaces.flatMap(({ id, name }) => [id, name, "*"]) ?? [];
    const unknown = oidc.roles.map(({ workspace }) => workspace).filter((workspace) => !names.includes(workspace));
    if (names.length > 0 && unknown.length > 0)
      report(
        "oidc-workspace-unknown",
        `OIDC_ROLES: there is no workspace ${[...new Set(unknown)].join(", ")}`,
        "Use the name or the id of a workspace, as in: plugboard keys list. Or create it: plugboard keys create --workspace NAME",
      );
    return undefined;
  },
};

const signals = ["traces", "metrics", "logs"] as const;

export const telemetry: Check = {
  name: "OpenTelemetry",
  async run({ config, report }) {
    const { telemetry: settings, proxy } = config;
    if (!settings) return "no OTEL_EXPORTER_OTLP_ENDPOINT is set";
    const fix =
      "Start the collector, or correct OTEL_EXPORTER_OTLP_ENDPOINT (its port for OTLP over HTTP, usually 4318), …_HEADERS and …_CERTIFICATE.";
    const limited = signals.map((signal) => [
      signal,
      settings[signal] && { ...settings[signal], timeoutMs: Math.min(settings[signal].timeoutMs, CALL_TIMEOUT_MS) },
    ]);
    try {
      const exporter = createExporter({ ...settings, ...Object.fromEntries(limited) }, proxy);
      const refusals: [string, Signal][] = [];
      await Promise.all(
        signals.map(async (signal) => {
          const to = settings[signal];
          if (!to) return;
          // An empty request is valid, and adds nothing.
          await exporter.send(signal, {}, new AbortController().signal).catch((error: unknown) => {
            refusals.push([`${reasonOf(error)} (${new URL(to.url).origin})`, signal]);
          });
        }),
      );
      await exporter.close();
      for (const [reason, refused] of Map.groupBy(refusals, ([reason]) => reason)) {
        const names = signals.filter((signal) => refused.some(([, one]) => one === signal)).join(", ");
        report("telemetry-refused", `The collector does not take ${names}: ${reason}`, fix);
      }
    } catch (error) {
      report("telemetry-refused", (error as Error).message, fix);
    }
    return undefined;
  },
};
