// Every way to authenticate besides OAuth: connected by the form and by the Platform API, called through the Proxy.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkDocument } from "../../src/provider-document/read.ts";
import { clearFaults, clearRequests, injectFault, seenRequests } from "../support/sandbox.ts";
import { startService, type TestService } from "../support/service.ts";
import { createAgent, pageOf } from "./support/agent.ts";
import { type Application, connectAccount, createApplication } from "./support/application.ts";
import { type Kind, kindCatalogue, kinds, toProvider } from "./support/issued-providers.ts";

let service: TestService;
const applications = new Map<Kind, Application>();
beforeAll(async () => {
  service = await startService({ catalogue: kindCatalogue, env: { RATE_LIMIT: "10000/60" } });
  for (const kind of kinds)
    applications.set(
      kind,
      await createApplication(
        service,
        toProvider(kind),
        kind.type,
        kind.integration ? { integration: kind.integration } : {},
      ),
    );
});
afterAll(() => service?.close());

const credentialsOf = async (id: string) => (await service.store.connections.load(id))!.connection.credentials;

async function callProxy({ apiKey }: Application, connection: string, path = "/things?a=1") {
  const response = await fetch(`${service.url}/proxy${path}`, {
    headers: { authorization: `Bearer ${apiKey}`, "svc-connection-id": connection },
  });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

describe.each(kinds.map((kind) => [kind.title, kind] as const))("%s", (title, kind) => {
  const provider = kind.document.id;
  const application = () => applications.get(kind)!;

  it(`the document of ${title} is valid`, async () => {
    expect(await checkDocument(kind.document)).toEqual([]);
  });

  it(`${title}: a user connects with the form, and calls have the credential in its place`, async () => {
    const { connection_id } = await connectAccount(application(), {}, kind.form);
    await clearRequests(service);
    const answer = await callProxy(application(), connection_id);
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toMatchObject({ method: "GET", path: "/things" });
    const [seen] = await seenRequests(service, provider);
    const { header, query, path } = kind.place;
    if (header) expect(Object.keys(seen!.headers)).toContain(header);
    if (query) expect(new URL(seen!.path, service.url).searchParams.has(query)).toBe(true);
    if (path) expect(seen!.path).toMatch(path);
    expect(new URL(seen!.path, service.url).searchParams.get("a")).toBe("1");
    const secrets = Object.values(await credentialsOf(connection_id)).filter((secret) => secret !== "");
    for (const secret of secrets) expect(answer.text + service.logs()).not.toContain(secret);
  });

  it(`${title}: a connection is created with the Platform API`, async () => {
    const { platform, integrationId } = application();
    const created = await platform("POST", "/connections", { integration_id: integrationId, ...kind.body });
    expect((await callProxy(application(), created.id)).status).toBe(200);
    expect(JSON.stringify(created)).not.toContain("made-up-");
    if (kind.isIssued) expect(created.expires_at).toEqual(expect.any(String));
  });

  if (kind.wrong)
    it(`${title}: wrong credentials are refused by the form, which says why`, async () => {
      const agent = createAgent(service.url);
      const start = pageOf(await agent.open(application().authorizeUrl()));
      const page = pageOf(await agent.submit(start, { decision: "continue", ...kind.form, ...kind.wrong }));
      expect(page.status).toBe(400);
      expect(page.text).toContain("There is a problem");
      expect(page.text).toContain(`Made-up ${provider} refused`);
    });

  if (kind.isIssued)
    it(`${title}: a refused token is issued again, and the call is repeated`, async () => {
      const { connection_id } = await connectAccount(application(), {}, kind.form);
      const before = await credentialsOf(connection_id);
      // A token that is made here is the same within a second.
      if (kind.document.id === "signed") await new Promise((resolve) => setTimeout(resolve, 1_100));
      await injectFault(service, { provider, expire_tokens: true });
      await clearFaults(service);
      expect((await callProxy(application(), connection_id)).status).toBe(200);
      const after = await credentialsOf(connection_id);
      expect(after).toEqual({ ...before, token: expect.any(String) });
      expect(after.token).not.toBe(before.token);
    });
});

it("OAuth tokens are refreshed at the address that is declared for it", async () => {
  const document = {
    id: "elsewhere",
    name: "Elsewhere",
    docs_url: "https://docs.example",
    addresses: {
      api: "https://elsewhere.example/v1",
      authorize: "https://elsewhere.example/authorize",
      token: "https://elsewhere.example/token",
      refresh: "https://elsewhere.example/renew",
    },
    auth: { oauth2: {} },
  };
  const provider = toProvider({ document });
  const own = await startService({ catalogue: { providers: [provider], emulators: {} } });
  try {
    const oauth = await createApplication(own, provider, "oauth2");
    const { connection_id } = await connectAccount(oauth);
    await injectFault(own, { provider: "elsewhere", expire_tokens: true });
    await clearFaults(own);
    await clearRequests(own);
    const response = await fetch(`${own.url}/proxy/x`, {
      headers: { authorization: `Bearer ${oauth.apiKey}`, "svc-connection-id": connection_id },
    });
    expect(response.status).toBe(200);
    const paths = (await seenRequests(own, "elsewhere")).map(({ path }) => path);
    expect(paths).toEqual(["/v1/x", "/renew", "/v1/x"]);
  } finally {
    await own.close();
  }
});
