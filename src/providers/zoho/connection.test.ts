// The data center of a Zoho account and its grant, through the whole service.
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAgent, leftFor, pageOf } from "../../../test/auth/support/agent.ts";
import { type Application, connectAccount, createApplication } from "../../../test/auth/support/application.ts";
import { startService, type TestService } from "../../../test/support/service.ts";
import { providers } from "../registry.gen.ts";

const provider = providers.find(({ manifest }) => manifest.id === "zoho")!;
const AMERICAN = { "setting-domain": "zoho.com" };

let service: TestService;
let application: Application;
beforeAll(async () => {
  service = await startService();
  application = await createApplication(service, provider, "oauth2");
});
afterAll(() => service.close());

const stored = async (id: string) => (await service.store.connections.load(id))!.connection;

test("a user who enters the wrong data center is connected to the right one", async () => {
  const { connection_id } = await connectAccount(application, {}, AMERICAN);
  expect((await stored(connection_id)).settings).toEqual({ domain: "zoho.eu", api_domain: "www.zohoapis.eu" });
  expect((await application.call(connection_id)).status).toBe(200);
});

test("an accounts server in the redirect that is not Zoho's is ignored", async () => {
  const agent = createAgent(service.url);
  const begin = pageOf(await agent.open(application.authorizeUrl()));
  const consent = pageOf(await agent.submit(begin, { decision: "continue", ...AMERICAN }));
  const answered = await agent.ask(consent.url, { method: "POST", body: new URLSearchParams({ decision: "allow" }) });
  const callback = new URL(answered.headers.get("location")!);
  callback.searchParams.set("accounts-server", "https://accounts.evil.example");
  const end = leftFor(await agent.open(callback));
  const { body } = await application.redeem(end.searchParams.get("code")!);
  expect((await stored(body.connection_id)).settings).toEqual({ domain: "zoho.com", api_domain: "www.zohoapis.eu" });
});

test("a user who enters a domain that is not Zoho's is asked again", async () => {
  const agent = createAgent(service.url);
  const begin = pageOf(await agent.open(application.authorizeUrl()));
  const again = pageOf(await agent.submit(begin, { decision: "continue", "setting-domain": "evil.example" }));
  expect([again.status, new URL(again.url).pathname]).toEqual([400, "/auth/authorize"]);
});

test("a grant that was revoked at Zoho invalidates the connection, although the refusal comes with 200", async () => {
  const { connection_id } = await connectAccount(application, {}, AMERICAN);
  const { refresh_token } = (await stored(connection_id)).credentials;
  const revoked = await fetch(`${service.url}/sandbox/zoho/oauth/v2/token/revoke?token=${refresh_token}`, {
    method: "POST",
  });
  expect(revoked.status).toBe(200);
  const { status, body } = await application.call(connection_id);
  expect([status, body.errors[0].reason]).toEqual([404, "connection_invalid"]);
  expect(await application.platform("GET", `/connections/${connection_id}`)).toMatchObject({ is_valid: false });
});

test("deleting a connection revokes its refresh token", async () => {
  const { connection_id } = await connectAccount(application, {}, AMERICAN);
  await application.platform("DELETE", `/connections/${connection_id}`);
  await expect
    .poll(async () => JSON.stringify(await application.platform("GET", "/logs")))
    .toContain("revocation_revoked");
});
