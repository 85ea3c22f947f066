import { createConnectors } from "../../engine/http/guarded-connector.ts";
import { type AddressRules, refuseAddress } from "../../engine/http/refuse-address.ts";
import { SANDBOX } from "../../engine/index.ts";
import { portOf } from "../../runtime/outbound-proxy.ts";
import { SANDBOX_WORKSPACE } from "../../sandbox-workspace.ts";
import { CALL_TIMEOUT_MS, type Check, type CheckContext, inTime, reasonOf, someOf } from "./context.ts";
import type { FindingId } from "./findings.ts";

/** Why the check cannot run without what the database has. */
const NOT_READ = "the database could not be read";
/** Different addresses that are looked up or connected to. */
const MAX_ADDRESSES = 50;

const addressRules = ({ config, machine }: CheckContext): AddressRules => ({
  allowPrivate: config.allowPrivateUpstreams,
  query: true,
  unresolved: config.proxy?.target === "unresolved",
  resolve: machine.resolve,
});

/** Says of each address, once, whether a connection to its host can be made. Nothing is sent. */
function createReach(context: CheckContext) {
  const { config, machine } = context;
  const connect = createConnectors({
    allowPrivateUpstreams: config.allowPrivateUpstreams,
    proxy: config.proxy,
    trustedOrigin: undefined,
    resolve: machine.resolve,
  })({ timeout: CALL_TIMEOUT_MS });
  return async (url: URL): Promise<string | undefined> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const { protocol, hostname, host } = url;
    connect({ protocol, hostname, host, port: portOf(url) }, (error, socket) => {
      socket?.destroy();
      if (error) reject(error);
      else resolve();
    });
    return inTime(promise, 2 * CALL_TIMEOUT_MS).then(() => undefined, reasonOf);
  };
}

const hostOf = (url: string) => URL.parse(url)?.host ?? "an invalid address";

export const webhooks: Check = {
  name: "webhooks",
  async run(context) {
    const { report, known } = context;
    if (!known.stored) return NOT_READ;
    const found = new Map<FindingId, string[]>();
    const add = (id: FindingId, name: string) => found.set(id, [...(found.get(id) ?? []), name]);
    const enabled = [];
    for (const webhook of known.stored.webhooks) {
      if (webhook.disabled_reason !== null) add("webhook-disabled", webhook.id);
      else if (webhook.enabled && webhook.url) enabled.push({ ...webhook, url: webhook.url });
    }
    const reach = createReach(context);
    const rules = { ...addressRules(context), https: true };
    const hosts = [...Map.groupBy(enabled, ({ url }) => new URL(url).origin)].slice(0, MAX_ADDRESSES);
    await Promise.all(
      hosts.map(async ([origin, members]) => {
        const refused = await refuseAddress(origin, rules);
        const failure = refused ? undefined : await reach(new URL(origin));
        for (const { id, url, failing_since } of members)
          if (refused) add("webhook-refused", `${id} (${hostOf(url)})`);
          else if (failure) add("webhook-unreachable", `${id} (${hostOf(url)}: ${failure})`);
          else if (failing_since !== null) add("webhook-failing", `${id} (${hostOf(url)})`);
      }),
    );
    const describe: [FindingId, string, string][] = [
      [
        "webhook-refused",
        "Webhooks have an address that is private or not encrypted, so nothing is sent to it",
        "Give them a public https address, or allow the range of theirs: ALLOW_PRIVATE_UPSTREAMS=10.20.0.0/16",
      ],
      [
        "webhook-unreachable",
        "No connection can be made to the address of webhooks",
        "Start the receiver, correct its address, or let this machine reach it.",
      ],
      [
        "webhook-failing",
        "The endpoints of webhooks fail",
        "See why in the deliveries of the webhook in the dashboard, and correct the receiver: it is turned off if it keeps failing.",
      ],
      [
        "webhook-disabled",
        "Webhooks were turned off because their endpoints kept failing",
        "Correct the receiver, turn the webhook on again in the dashboard, and send what failed again.",
      ],
    ];
    for (const [id, problem, fix] of describe) {
      const names = found.get(id);
      if (names) report(id, `${problem}: ${someOf(names)}`, fix);
    }
    return known.stored.webhooks.length === 0 ? "there are none" : undefined;
  },
};

const MIN_INVALID = 10;

export const connections: Check = {
  name: "connections and subscriptions",
  async run({ report, known }) {
    if (!known.stored) return NOT_READ;
    for (const { integration_identifier, total, valid } of known.stored.connections) {
      const invalid = Number(total) - Number(valid);
      if (invalid >= MIN_INVALID && invalid > Number(valid))
        report(
          "connections-invalid",
          `${invalid} of ${total} connections to ${integration_identifier} in a workspace are invalid`,
          "Check the client ID and secret of the integration, and what the provider says about the application; then let users connect again.",
        );
    }
    const failing = known.stored.subscriptions.map(({ id }) => id);
    if (failing.length > 0)
      report(
        "subscription-failing",
        `The last runs of subscriptions failed: ${someOf(failing)}`,
        "See why in the dashboard, or with GET /platform/v1/subscriptions.",
      );
    return undefined;
  },
};

export const integrations: Check = {
  name: "integrations",
  async run(context) {
    const { config, report, known } = context;
    if (!known.stored) return NOT_READ;
    if (!known.providers) return "the providers could not be loaded";
    const shared = known.providers;
    const sandboxes = known.stored.workspaces.filter(({ name }) => name === SANDBOX_WORKSPACE).map(({ id }) => id);
    const all = known.stored.integrations.filter(({ workspace_id }) => !sandboxes.includes(workspace_id));
    const own = known.stored.providers;
    const orphans = all.filter(
      ({ identifier, workspace_id }) =>
        !shared.includes(identifier) && !own.some((one) => one.workspace_id === workspace_id && one.id === identifier),
    );
    if (orphans.length > 0)
      report(
        "provider-missing",
        `There is no such provider for the integrations ${someOf(orphans.map(({ id, identifier }) => `${id} (${identifier})`))}`,
        "Set PROVIDERS_DIR to the folder with the provider, or delete the integration.",
      );
    const emulated = config.sandbox ? [] : all.filter(({ base_url }) => base_url === SANDBOX);
    if (emulated.length > 0)
      report(
        "integration-sandbox-off",
        `SANDBOX is off, but these integrations use emulated providers: ${someOf(emulated.map(({ id }) => id))}`,
        "Remove base_url from the integration, or delete it; or turn the sandbox on.",
      );
    const rules = addressRules(context);
    const addresses = all.flatMap(({ id, base_url, mcp_url }) =>
      [base_url, mcp_url].flatMap((url) => (url && url !== SANDBOX ? [{ id, url }] : [])),
    );
    const refused: string[] = [];
    for (const [url, members] of [...Map.groupBy(addresses, (one) => one.url)].slice(0, MAX_ADDRESSES))
      if (await inTime(refuseAddress(url, rules))) refused.push(...members.map(({ id }) => `${id} (${hostOf(url)})`));
    if (refused.length > 0)
      report(
        "integration-refused",
        `The own address of integrations is private, so it is not called: ${someOf(refused)}`,
        "Allow its range, such as ALLOW_PRIVATE_UPSTREAMS=10.20.0.0/16, or correct the address.",
      );
    return all.length === 0 ? "there are none" : undefined;
  },
};
