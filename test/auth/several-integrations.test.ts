// A workspace with several integrations of one provider: each is used by its id, and an identifier only where it is clear.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fillWorkspace } from "../../src/sandbox-workspace.ts";
import { startService, type TestService } from "../support/service.ts";
import { createAgent, leftFor } from "./support/agent.ts";
import { type Application, agree, connectAccount, createApplication, validValues } from "./support/application.ts";
import { ledger, quirk, toyCatalogue, toySettings } from "./support/toy-providers.ts";

const AMBIGUOUS = "This workspace has several integrations of ledger: use the id of one of them";
const values = validValues(ledger, "basic", toySettings.ledger);

let service: TestService;
let application: Application;
let second: { id: string };

beforeAll(async () => {
  service = await startService({ catalogue: toyCatalogue });
  application = await createApplication(service, ledger, "basic", { integration: { name: "Internal" } });
  second = await application.platform("POST", "/integrations", {
    identifier: "ledger",
    name: "Customer's own",
    type: "basic",
    base_url: "sandbox",
  });
});
afterAll(() => service.close());

describe("several integrations of one provider", () => {
  it("accounts are connected to each of several integrations by its id, used, and listed by integration or by provider", async () => {
    const first = await connectAccount(application, { integration_id: application.integrationId }, values);
    const other = await connectAccount(application, { integration_id: second.id }, values);
    expect([first.integration_id, other.integration_id]).toEqual([application.integrationId, second.id]);
    for (const { connection_id } of [first, other]) expect((await application.call(connection_id)).status).toBe(200);
    const list = async (query: string) =>
      (await application.platform("GET", `/connections?${query}`)).map(({ id }: { id: string }) => id);
    expect(await list(`integration_id=${second.id}`)).toEqual([other.connection_id]);
    expect(await list("integration_identifier=ledger")).toEqual([first.connection_id, other.connection_id]);
  });

  it("/authorize refuses an identifier that several integrations have and says to use an id", async () => {
    const arrival = await createAgent(service.url).open(application.authorizeUrl({ state: "s" }));
    expect(Object.fromEntries(leftFor(arrival).searchParams)).toMatchObject({
      error: "invalid_request",
      error_description: AMBIGUOUS,
      state: "s",
    });
  });

  it("an identifier works again when only one integration is left", async () => {
    const own = await createApplication(service, ledger, "basic");
    const { id } = await own.platform("POST", "/integrations", {
      identifier: "ledger",
      type: "basic",
      base_url: "sandbox",
    });
    await own.platform("DELETE", `/integrations/${own.integrationId}`);
    const connected = await connectAccount(own, {}, values);
    expect(connected.integration_id).toBe(id);
  });

  it("a connection of one integration cannot be reconnected through another of the same provider", async () => {
    const { connection_id } = await connectAccount(application, { integration_id: application.integrationId }, values);
    const url = application.authorizeUrl({ integration_id: second.id, connection_id });
    expect(leftFor(await createAgent(service.url).open(url)).searchParams.get("error_description")).toBe(
      "The connection belongs to another integration",
    );
    const end = leftFor(
      await agree(
        createAgent(service.url),
        application.authorizeUrl({ integration_id: application.integrationId, connection_id }),
        values,
      ),
    );
    expect(end.searchParams.has("code")).toBe(true);
  });

  it("the sandbox's connections belong to the integration that leads to the sandbox", async () => {
    const { store, coordination } = service.parts;
    const own = await createApplication(service, ledger, "basic", { integration: { base_url: null } });
    const workspace = (await store.workspaces.byClientId(own.clientId))!;
    const { id } = await own.platform("POST", "/integrations", {
      identifier: "ledger",
      type: "basic",
      base_url: "sandbox",
    });
    const fill = () =>
      fillWorkspace({ store, coordination, sandbox: service.sandbox, providers: [ledger, quirk] }, workspace);
    const { integrations, connections } = await fill();
    expect(integrations.ledger).toBe(id);
    expect((await own.platform("GET", `/connections/${connections.ledger}`)).integration_id).toBe(id);
    expect(await fill()).toEqual({ integrations, connections });
    // With the name that earlier versions gave it.
    await store.connections.update(connections.quirk!, { external_id: "sandbox" });
    expect(await fill()).toEqual({ integrations, connections });
  });
});
