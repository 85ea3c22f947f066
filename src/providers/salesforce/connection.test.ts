// The host that a user logs in at, through the whole service.
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectAccount, createApplication } from "../../../test/auth/support/application.ts";
import { startService, type TestService } from "../../../test/support/service.ts";
import { providers } from "../registry.gen.ts";
import { HOST } from "./sandbox/data.ts";

const provider = providers.find(({ manifest }) => manifest.id === "salesforce")!;

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

test("the org's own host replaces the one that the user logged in at", async () => {
  const application = await createApplication(service, provider, "oauth2");
  for (const host of ["login.salesforce.com", "test.salesforce.com", "acme.my.salesforce.com"]) {
    const { connection_id } = await connectAccount(application, {}, { "setting-host": host });
    const { connection } = (await service.store.connections.load(connection_id))!;
    expect(connection.settings).toEqual({ host: HOST });
    expect((await application.call(connection_id)).status).toBe(200);
    // The token answer has no expiry, so the manifest's lifetime is used.
    expect(connection.expires_at).not.toBeNull();
  }
});
