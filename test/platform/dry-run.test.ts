// `dry_run=true`: everything is checked, and nothing is changed.
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeDatabases } from "../support/databases.ts";
import { createPlatform, type Platform } from "../support/platform.ts";
import { startService, type TestService } from "../support/service.ts";

await describeDatabases("dry runs of the Platform API", (database) => {
  let service: TestService;
  let call: Platform;
  beforeAll(async () => {
    service = await startService({ env: { ...database.env, ALLOW_PRIVATE_UPSTREAMS: "true" } });
    call = createPlatform(service, await service.createWorkspace("acme"));
  });
  afterAll(() => service?.close());

  const samples: [string, Record<string, unknown>, Record<string, unknown>][] = [
    [
      "integrations",
      { identifier: "github", type: "oauth2", client_id: "a", client_secret: "made-up" },
      { client_secret: "made-up too", scopes: ["repo"] },
    ],
    ["webhooks", { name: "A", url: "https://app.acme.test", events: { "*": true } }, { enabled: false }],
    [
      "providers",
      {
        id: "own",
        name: "Own",
        docs_url: "https://own.test",
        addresses: { api: "https://own.test" },
        auth: { none: {} },
      },
      { name: "Other" },
    ],
    [
      "custom-fields",
      { record: "crm.contact", name: "tier", type: "string", paths: { hubspot: "/properties/tier" } },
      { type: "number" },
    ],
    ["tool-packs", { name: "A", access: "read" }, { access: "write" }],
  ];

  const own = async (path: string) =>
    (await call("GET", `/v1/${path}`)).body.filter(({ origin = "workspace" }) => origin === "workspace");
  const audited = async () => (await call("GET", "/v1/audit?limit=100")).body.length;

  it.each(samples)(
    "a dry run of creating and changing one of the %s answers as the call would, and changes nothing",
    async (path, body, change) => {
      const entries = await audited();
      const planned = await call("POST", `/v1/${path}?dry_run=true`, body);
      expect([planned.status, await own(path), await audited()]).toEqual([201, [], entries]);
      const created = await call("POST", `/v1/${path}?dry_run=false`, body);
      const { id, created_at, updated_at, secret, ...rest } = created.body;
      expect(planned).toMatchObject({ status: 201, body: rest });
      expect(await own(path)).toHaveLength(1);

      const before = await call("GET", `/v1/${path}/${id}`);
      const after = await audited();
      const { client_secret: _, ...shown } = change;
      const answered = path === "providers" ? { document: shown } : shown;
      expect(await call("PATCH", `/v1/${path}/${id}?dry_run=true`, change)).toMatchObject({
        status: 200,
        body: answered,
      });
      expect((await call("GET", `/v1/${path}/${id}`)).body).toEqual(before.body);
      expect(await audited()).toBe(after);
      expect(await call("PATCH", `/v1/${path}/${id}`, change)).toMatchObject({ status: 200, body: answered });
      expect(await audited()).toBe(after + 1);
    },
  );

  it("a dry run fails as the call would, also by what only the database knows", async () => {
    expect(await call("POST", "/v1/custom-fields?dry_run=true", samples[3]![1])).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('has a custom field "tier" already') },
    });
    expect((await call("POST", "/v1/providers?dry_run=true", samples[2]![1])).status).toBe(409);
    expect((await call("PATCH", "/v1/workspace?dry_run=true", { mcp_tool_pack_id: "tp_none" })).status).toBe(400);
    for (const [path, body] of samples)
      expect([path, (await call("POST", `/v1/${path}?dry_run=maybe`, body)).status]).toEqual([path, 400]);
  });

  it("the workspace is not changed by a dry run", async () => {
    expect((await call("PATCH", "/v1/workspace?dry_run=true", { name: "Other" })).body).toMatchObject({
      name: "Other",
    });
    expect((await call("GET", "/v1/workspace")).body).toMatchObject({ name: "acme" });
  });

  it("a route without dry runs refuses one instead of making the change", async () => {
    const [webhook] = await own("webhooks");
    const path = `/v1/webhooks/${webhook.id}`;
    expect(await call("DELETE", `${path}?dry_run=true`)).toMatchObject({
      status: 400,
      body: { errors: { dry_run: ["This route has no dry run. Nothing was changed"] } },
    });
    expect(await own("webhooks")).toHaveLength(1);
    const deleted = await call("DELETE", `${path}?dry_run=false`);
    expect(deleted.headers.get("svc-warning")).toContain("unknown query parameter dry_run");
    expect(await own("webhooks")).toEqual([]);
  });

  it("an integration that has the given values already is not changed: this is how a secret is compared", async () => {
    const [integration] = await own("integrations");
    const path = `/v1/integrations/${integration.id}`;
    const entries = await audited();
    const same = await call("PATCH", path, { client_secret: "made-up too", scopes: ["repo"], name: null });
    expect(same.body).toEqual(integration);
    expect(await audited()).toBe(entries);
    const other = await call("PATCH", `${path}?dry_run=true`, { client_secret: "made-up" });
    expect(other.body.updated_at).not.toBe(integration.updated_at);
    expect(other.text).not.toContain("made-up");
  });
});
