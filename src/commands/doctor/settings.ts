import { X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import type { Variable } from "../../config/define.ts";
import { type Config, ConfigError, misspelledVariables, readConfig, surfaceNames } from "../../config/index.ts";
import { variables } from "../../config/variables.ts";
import { isLoopback } from "../../contracts/network.ts";
import { loadRegistry } from "../../registry.ts";
import { type Check, type CheckContext, reasonOf } from "./context.ts";

type SettingsContext = Pick<CheckContext, "env" | "report" | "machine">;

/** The configuration, or undefined if it is not valid. */
export function checkSettings(context: SettingsContext): Config | undefined {
  const { env, report } = context;
  for (const { given, meant } of misspelledVariables(env))
    report(
      "setting-misspelled",
      `The environment variable ${given} is unknown and has no effect`,
      `Rename it to ${meant} if that was meant; otherwise ignore this.`,
    );
  checkSecretFiles(context);
  checkCertificateSettings(context);
  try {
    const config = readConfig(env);
    checkExposure(context, config);
    checkMissingAddresses(context, config);
    return config;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const line of error.lines)
      report(
        "setting-invalid",
        line,
        `Correct ${line.split(":", 1)[0]}: docs/configuration.md says what it accepts. Then run this command again, since the rest could not be checked.`,
      );
    return undefined;
  }
}

function checkSecretFiles({ env, report, machine }: SettingsContext): void {
  // In a container there are no other users, and mounted secrets are readable by all.
  if (machine.isContainer) return;
  for (const [name, { secret }] of Object.entries<Variable<unknown>>(variables)) {
    const file = secret ? env[`${name}_FILE`]?.trim() : undefined;
    const mode = file ? statSync(file, { throwIfNoEntry: false })?.mode : undefined;
    if (mode !== undefined && mode & 0o004)
      report(
        "secret-file-exposed",
        `${name}_FILE: every user of this machine can read ${file}`,
        `Let only the user of the service read it: chmod 600 ${file}`,
      );
  }
}

function checkCertificateSettings({ env, report }: SettingsContext): void {
  if (env.NODE_TLS_REJECT_UNAUTHORIZED === "0")
    report(
      "tls-verification-off",
      "NODE_TLS_REJECT_UNAUTHORIZED=0: anybody in between can pose as a provider and read tokens",
      "Unset it. For a certificate authority of your own, set NODE_EXTRA_CA_CERTS to the file with its certificate.",
    );
  const file = env.NODE_EXTRA_CA_CERTS?.trim();
  if (!file) return;
  try {
    const certificates = readFileSync(file, "utf8").match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
    if (!certificates) throw new Error("it has no certificate in PEM format");
    for (const certificate of certificates) new X509Certificate(certificate);
  } catch (error) {
    report(
      "ca-file-unusable",
      `NODE_EXTRA_CA_CERTS: ${file} is ignored by Node: ${reasonOf(error)}`,
      "Set it to a readable file with certificates in PEM format, or unset it.",
    );
  }
}

const isPublic = (url: string) => !isLoopback(new URL(url).hostname);

function checkExposure({ report }: SettingsContext, config: Config): void {
  const isReachable = [config.dashboardUrl, ...Object.values(config.urls)].some(isPublic);
  if (config.sandbox && (isReachable || !isLoopback(config.host)))
    report(
      "sandbox-public",
      "The sandbox is on, and other machines can reach it: emulated providers need no key",
      "Set SANDBOX=off in production.",
    );
  if (config.allowPrivateUpstreams === true && isReachable)
    report(
      "private-upstreams-open",
      "ALLOW_PRIVATE_UPSTREAMS=true: whoever can create integrations or webhooks can call every address of your network",
      "Set it to the address ranges that are needed, such as 10.20.0.0/16.",
    );
}

/** Without an address of its own, a surface refers clients to where this machine reaches it. */
function checkMissingAddresses({ env, report, machine }: SettingsContext, config: Config): void {
  const names = [...surfaceNames, ...(config.dashboard ? ["dashboard"] : [])].map(
    (name) => `${name.toUpperCase()}_URL`,
  );
  const missing = names.filter((name) => !env[name]?.trim());
  const isForOthers = missing.length < names.length || (!isLoopback(config.host) && !machine.isContainer);
  if (missing.length === 0 || !isForOthers) return;
  report(
    "address-missing",
    `${missing.join(", ")}: not set, so clients and users are sent to ${config.localUrl}, which is this machine only`,
    `Set ${missing.length === 1 ? "it" : "them"} to the public ${missing.length === 1 ? "address" : "addresses"}, such as https://plugboard.example.com/auth for AUTH_URL.`,
  );
}

/** Loads the providers, as a start does. */
export const providers: Check = {
  name: "providers",
  async run({ config, report, known }) {
    try {
      known.providers = (await loadRegistry(config)).providers.map(({ manifest }) => manifest.id);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      for (const line of error.lines)
        report("providers-invalid", line, "Correct it, and check it with: plugboard test-provider DIR/ID");
    }
    return undefined;
  },
};
