import { isIP } from "node:net";
import { connect, type PeerCertificate } from "node:tls";
import { portOf, withoutBrackets } from "../../runtime/outbound-proxy.ts";
import { CALL_TIMEOUT_MS, type CheckContext, type Machine } from "./context.ts";
import { lookupOf } from "./http.ts";

/** Certificates that are valid for a few days only are renewed later. */
const EXPIRING_DAYS = 14;
const EXPIRING_PART = 1 / 3;
const DAY_MS = 24 * 3_600_000;

/** The server's certificate, and why it is not trusted. */
function readCertificate(url: URL, machine: Machine): Promise<{ certificate: PeerCertificate; problem: string }> {
  const host = withoutBrackets(url.hostname);
  return new Promise((resolve, reject) => {
    const socket = connect({
      host,
      port: Number(portOf(url)),
      ...(isIP(host) ? {} : { servername: host }),
      lookup: lookupOf(machine),
      rejectUnauthorized: false,
      timeout: CALL_TIMEOUT_MS,
    });
    socket.on("secureConnect", () => {
      // Node's types say that it is an error; it is a code, or an error for a wrong name.
      const problem = socket.authorizationError as unknown as string | NodeJS.ErrnoException | null;
      resolve({
        certificate: socket.getPeerCertificate(),
        problem: typeof problem === "string" ? problem : (problem?.code ?? ""),
      });
      socket.destroy();
    });
    socket.on("timeout", () => socket.destroy(new Error("no answer")));
    socket.on("error", reject);
  });
}

/** The certificate of a public address, as a client sees it. */
export async function checkCertificate({ machine, report }: CheckContext, url: URL): Promise<void> {
  const { certificate, problem } = await readCertificate(url, machine);
  const from = Date.parse(certificate.valid_from);
  const until = Date.parse(certificate.valid_to);
  const now = machine.now();
  const isExpiring = until - now < Math.min(EXPIRING_DAYS * DAY_MS, EXPIRING_PART * (until - from));
  if (now > until || now < from)
    report(
      "certificate-expired",
      `The certificate of ${url.host} is valid from ${certificate.valid_from} to ${certificate.valid_to} only`,
      "Renew it where TLS is terminated, and reload that server. If it is not valid yet, set the clock.",
    );
  else if (isExpiring)
    report(
      "certificate-expiring",
      `The certificate of ${url.host} expires in ${Math.floor((until - now) / DAY_MS)} days`,
      "Renew it where TLS is terminated, and find out why that did not happen automatically.",
    );
  if (problem === "ERR_TLS_CERT_ALTNAME_INVALID")
    report(
      "certificate-name",
      `The certificate of ${url.host} is for ${certificate.subjectaltname ?? "no name"}`,
      `Use a certificate for ${url.hostname} where TLS is terminated, or correct the public addresses.`,
    );
  else if (problem && !/EXPIRED|NOT_YET/.test(problem))
    report(
      "certificate-untrusted",
      `The certificate of ${url.host} is not trusted here: ${problem}`,
      "Serve the intermediate certificates as well (fullchain.pem). For an authority of your own, set NODE_EXTRA_CA_CERTS to its certificate, and let clients trust it too.",
    );
}
