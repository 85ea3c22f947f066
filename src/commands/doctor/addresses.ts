import { isIP } from "node:net";
import { type Config, surfaceNames } from "../../config/index.ts";
import { isLoopback } from "../../contracts/network.ts";
import { createSigner } from "../../engine/index.ts";
import { withoutBrackets } from "../../runtime/outbound-proxy.ts";
import { type ForwardedRequest, forwardingQuestion } from "../../surfaces/auth/forwarding-check.ts";
import { errorSourceHeader } from "../../surfaces/shared/error-source.ts";
import { checkCertificate } from "./certificates.ts";
import { type Check, type CheckContext, compareClocks, inTime, reasonOf } from "./context.ts";
import type { FindingId } from "./findings.ts";
import { type Answer, ask } from "./http.ts";

type PublicName = (typeof surfaceNames)[number] | "dashboard";

interface PublicAddress {
  name: PublicName;
  /** `AUTH_URL` */
  variable: string;
  url: string;
}

const titled = (title: string) => ({
  path: "/openapi.json",
  isOurs: ({ json }: Answer) => (json.info as { title?: string } | undefined)?.title === title,
});
const needsKey = {
  path: "",
  isOurs: ({ status, headers }: Answer, { headerPrefix }: Config) =>
    status === 401 && headers[errorSourceHeader(headerPrefix).toLowerCase()] === "plugboard",
};

/** What each API answers without a key, and nothing else would. */
const signs: Record<PublicName, { path: string; isOurs(answer: Answer, config: Config): boolean }> = {
  unified: titled("Plugboard Unified API"),
  platform: titled("Plugboard Platform API"),
  auth: titled("Plugboard Auth API"),
  proxy: needsKey,
  mcp: needsKey,
  dashboard: { path: "/sign-in", isOurs: ({ text }) => /<title>[^<]* · Plugboard<\/title>/.test(text) },
};

function givenAddresses({ env, config }: CheckContext): PublicAddress[] {
  const all: PublicAddress[] = [
    ...surfaceNames.map((name) => ({ name, variable: `${name.toUpperCase()}_URL`, url: config.urls[name] })),
    ...(config.dashboard ? [{ name: "dashboard" as const, variable: "DASHBOARD_URL", url: config.dashboardUrl }] : []),
  ];
  return all.filter(({ variable }) => env[variable]?.trim());
}

export const publicAddresses: Check = {
  name: "public addresses",
  async run(context) {
    const addresses = givenAddresses(context);
    if (addresses.length === 0) return "none is set";
    const silent = new Set<string>();
    for (const [origin, group] of Map.groupBy(addresses, ({ url }) => new URL(url).origin))
      if (!(await checkOrigin(context, new URL(origin), group))) silent.add(origin);
    return silent.size > 0 ? `the service does not run here, and ${[...silent].join(", ")} does not answer` : undefined;
  },
};

const isDown = ({ status }: Answer) => [502, 503, 504].includes(status);

/** False if nothing answers there because the service does not run. */
async function checkOrigin(context: CheckContext, origin: URL, addresses: PublicAddress[]): Promise<boolean> {
  const { report, machine, known } = context;
  const host = withoutBrackets(origin.hostname);
  const variables = addresses.map(({ variable }) => variable).join(", ");
  const isLocal = isLoopback(host);
  if (origin.protocol === "http:" && !isLocal)
    report(
      "address-insecure",
      `${variables}: ${origin.origin} is not encrypted, so keys and tokens can be read on the way`,
      "Let a reverse proxy with a certificate forward to Plugboard, and give the https address.",
    );
  if (!isIP(host)) {
    const failure = await inTime(machine.resolve(host, { all: true })).then(() => undefined, reasonOf);
    if (failure) {
      report(
        "address-unresolvable",
        `${variables}: the name ${host} cannot be resolved (${failure})`,
        "Add the name to your DNS, or correct it.",
      );
      return true;
    }
  }
  try {
    if (origin.protocol === "https:") await checkCertificate(context, origin);
    const answers = await Promise.all(
      addresses.map(async (address) => ({
        ...address,
        answer: await ask(address.url + signs[address.name].path, machine),
      })),
    );
    const { at, headers } = answers[0]!.answer;
    if (headers.date) compareClocks(context, origin.host, Date.parse(String(headers.date)), at);
    reportAnswers(context, answers);
    const auth = answers.find(({ name, answer }) => name === "auth" && signs.auth.isOurs(answer, context.config));
    if (auth) await checkForwardedHeaders(context, auth.url);
    if (!isLocal) await checkMetrics(context, addresses[0]!);
    return known.isRunning === true || !answers.some(({ answer }) => isDown(answer));
  } catch (error) {
    if (!known.isRunning) return false;
    report(
      "address-unreachable",
      `${variables}: ${origin.origin} does not answer this machine (${reasonOf(error)}), although the service runs`,
      "Check the reverse proxy, its certificate and the firewall. If only this machine cannot reach it, ignore this.",
    );
    return true;
  }
}

/** What is wrong with an answer: the finding, and why. */
function problemOf(
  { config, known }: CheckContext,
  { name, url, answer }: PublicAddress & { answer: Answer },
): [FindingId, string] | undefined {
  const { status, headers } = answer;
  // Only the reverse proxy answers.
  if (isDown(answer))
    return known.isRunning ? ["address-unreachable", `answers ${status}, although the service runs`] : undefined;
  if (status >= 300 && status < 400) {
    const target = URL.parse(String(headers.location), url)?.origin ?? "another address";
    return ["address-redirects", `redirects to ${target}, where clients do not send their key`];
  }
  return signs[name].isOurs(answer, config)
    ? undefined
    : ["address-other", `is answered by something else than this API of Plugboard (status ${status})`];
}

/** Addresses with the same problem are one finding. */
function reportAnswers(context: CheckContext, answers: (PublicAddress & { answer: Answer })[]): void {
  const { report, config } = context;
  const problems = answers.flatMap((one) => {
    const problem = problemOf(context, one);
    return problem ? [{ ...one, id: problem[0], why: problem[1] }] : [];
  });
  for (const [, [first, ...others]] of Map.groupBy(problems, ({ id, why }) => `${id} ${why}`)) {
    const { id, why, url, name } = first!;
    const variables = [first!, ...others].map(({ variable }) => variable).join(", ");
    report(
      id,
      `${variables}: ${url} ${why}`,
      id === "address-redirects"
        ? "Give the address that it redirects to, or let the reverse proxy forward instead of redirecting."
        : `Let the reverse proxy forward ${new URL(url).pathname} to ${config.localUrl}/${name}, or correct the address.`,
    );
  }
}

/** Asks the Auth API how requests arrive there. Only a service with the same encryption key answers. */
async function checkForwardedHeaders({ report, machine, known }: CheckContext, url: string): Promise<void> {
  const { keyring } = known;
  if (!keyring) return;
  const signer = createSigner(() => keyring.derive("connect"));
  const { status, json } = await ask(url + forwardingQuestion(signer), machine);
  if (status !== 200)
    return report(
      "address-other",
      `AUTH_URL: at ${url} another installation of Plugboard answers, with another encryption key or of an earlier version`,
      "Correct the address, or let the reverse proxy forward to this installation. During an upgrade, restart all processes.",
    );
  const { host, forwarded_for } = json as unknown as ForwardedRequest;
  if (host !== new URL(url).host)
    report(
      "proxy-host",
      `AUTH_URL: the reverse proxy at ${url} replaces the Host of requests, so Plugboard takes them for another address`,
      "Let it forward the header unchanged: proxy_set_header Host $http_host; in nginx, ProxyPreserveHost On in Apache.",
    );
  // Whatever terminates TLS is a reverse proxy.
  if (forwarded_for === null && url.startsWith("https:"))
    report(
      "proxy-forwarded-for",
      `AUTH_URL: the reverse proxy at ${url} does not set X-Forwarded-For, so all users together have the attempts of one`,
      "Let it add the client's address: proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; in nginx.",
    );
}

async function checkMetrics({ report, machine }: CheckContext, { name, url }: PublicAddress): Promise<void> {
  const address = `${url.replace(new RegExp(`/${name}$`), "")}/metrics`;
  const answer = await ask(address, machine);
  if (answer.status === 200 && /^plugboard_/m.test(answer.text))
    report(
      "metrics-public",
      `${address} shows the metrics to everybody`,
      "Let the reverse proxy answer 404 to /healthz, /readyz and /metrics, as deploy/nginx.conf does.",
    );
}
