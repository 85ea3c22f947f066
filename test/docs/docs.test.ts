import { readFileSync } from "node:fs";
import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../src/categories/index.ts";
import { startService, type TestService } from "../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService({ env: { HEADER_PREFIX: "Acme-" } });
});
afterAll(() => service?.close());

const document = async (surface: string, name = "openapi"): Promise<any> => {
  const response = await fetch(`${service.url}/${surface}/${name}.json`);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toContain("application/json");
  return response.json();
};

/** Every reference in a document, at any depth. */
function references(value: unknown): string[] {
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([name, inner]) => (name === "$ref" ? [inner as string] : references(inner)));
}

describe.each(["unified", "platform", "auth"])("the description of the %s API", (surface) => {
  it(`the description of the ${surface} API is valid OpenAPI 3.1, version 1.0.0`, async () => {
    const described = await document(surface);
    expect(described.openapi).toBe("3.1.0");
    expect(described.info.version).toBe("1.0.0");
    const result = await new Validator().validate(structuredClone(described));
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
  });

  it(`the description of the ${surface} API in OpenAPI 3.0 is valid, and has the same operations and components`, async () => {
    const [newer, older] = [await document(surface), await document(surface, "openapi-3.0")];
    expect(older.openapi).toBe("3.0.3");
    const result = await new Validator().validate(structuredClone(older));
    expect(result.errors ?? []).toEqual([]);
    for (const part of ["headers", "responses", "schemas"])
      expect(Object.keys(older.components[part])).toEqual(Object.keys(newer.components[part]));
    expect(older.paths).toMatchObject(
      Object.fromEntries(
        Object.entries<any>(newer.paths).map(([path, methods]) => [
          path,
          Object.fromEntries(Object.entries<any>(methods).map(([name, { operationId }]) => [name, { operationId }])),
        ]),
      ),
    );
  });

  it(`the description of the ${surface} API names every component once and refers to it`, async () => {
    const described = await document(surface);
    const named = ["headers", "responses", "schemas"].flatMap((part) =>
      Object.keys(described.components[part]).map((name) => `#/components/${part}/${name}`),
    );
    expect(new Set(references(described))).toEqual(new Set(named));
  });

  it(`every JSON body of the ${surface} API has a name, so that generated clients have types for it`, async () => {
    const described = await document(surface);
    const operationsOf = Object.values<any>(described.paths).flatMap((methods) => Object.values<any>(methods));
    const bodies = operationsOf.flatMap(({ requestBody, responses }) => [
      requestBody,
      ...Object.values<any>(responses),
    ]);
    const schemas = bodies.flatMap((body) => body?.content?.["application/json"]?.schema ?? []);
    expect(schemas.length).toBeGreaterThan(0);
    for (const schema of schemas) expect((schema.items ?? schema).$ref).toMatch(/^#\/components\/schemas\/\w+$/);
  });

  it(`the description of the ${surface} API refers to the host it was loaded from, so that localhost works like 127.0.0.1`, async () => {
    expect((await document(surface)).servers).toEqual([{ url: `/${surface}` }]);
  });

  it(`every operation of the ${surface} API has an id of its own, for generated clients`, async () => {
    const { paths } = await document(surface);
    const ids = Object.values<any>(paths).flatMap((methods) =>
      Object.values<any>(methods).map(({ operationId }) => operationId),
    );
    for (const id of ids) expect(id).toMatch(/^[a-z]+([A-Z_][a-z]*)*$/);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe.each(["unified", "platform"])("the operations of the %s API", (surface) => {
  it(`the description of the ${surface} API requires a key and lists the errors of every operation`, async () => {
    const described = await document(surface);
    expect(described.security.length).toBeGreaterThan(0);
    for (const methods of Object.values<any>(described.paths))
      for (const operation of Object.values<any>(methods)) {
        expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(["400", "401"]));
        expect(operation.summary).toBeTruthy();
      }
  });
});

it("the Unified API's description has every operation of the table, with the configured header prefix", async () => {
  const { paths, components } = await document("unified");
  const found = Object.entries<any>(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const expected = operations.flatMap(({ method, route, kind }) => {
    const path = `${method} ${route.replace(/:(\w+)/g, "{$1}")}`;
    return kind === "list" ? [path, `${path}/fields`] : [path];
  });
  expect(found.sort()).toEqual(expected.sort());

  const messages = paths["/v1/chat/channels/{channel_id}/messages"].get;
  const parameters = messages.parameters.map(
    (parameter: any) => `${parameter.in} ${parameter.name}${parameter.required ? " required" : ""}`,
  );
  expect(parameters).toEqual([
    "header Acme-Connection-ID required",
    "header Acme-Max-Retries",
    "header Acme-Include-Raw",
    "path channel_id required",
    "query fields",
    "query include_raw",
    "query params",
    "query limit",
    "query after",
    "query dry_run",
  ]);
  expect(messages.parameters.find(({ name }: any) => name === "limit").schema).toMatchObject({
    minimum: 1,
    maximum: 100,
    default: 100,
  });
  const body = messages.responses[200].content["application/json"].schema;
  expect(body).toEqual({ $ref: "#/components/schemas/ChatMessagePage" });
  const { response } = components.schemas.ChatMessagePage.properties;
  expect(response.properties.data.items).toEqual({ $ref: "#/components/schemas/ChatMessage" });
});

it("the Unified API's description has every error and every header that docs/unified.md names, and no other", async () => {
  const page = readFileSync(new URL("../../docs/unified.md", import.meta.url), "utf8");
  const { paths, components } = await document("unified");
  const rows = [...page.matchAll(/^\| (\d{3}) \| \d{4} \| .* \| (.*) \|$/gm)];
  const named = rows.filter(([, , cause]) => !cause!.includes("(mcp.md)")).map(([, status]) => status!);
  const { responses } = paths["/v1/git/repos/{repo}/issues"].post;
  const { 200: _, default: providers, ...errors } = responses;
  expect(Object.keys(errors)).toEqual([...new Set(named)].sort());
  expect(components.responses[providers.$ref.split("/").at(-1)].content).toEqual({ "*/*": { schema: {} } });

  const headers = [...page.matchAll(/`((?:X-R|SVC-Error|SVC-W|Idempotency-R|Retry-)[\w-]+)/g)].map(([, name]) => name!);
  const described = Object.keys(components.headers).filter((name) => name !== "WWW-Authenticate");
  const given = [...new Set(headers)].map((name) => name.replace("SVC-", "Acme-"));
  expect(described.sort()).toEqual(given.sort());
});

it("a write of the Unified API is described with its conflicts and its replay, and a read without them", async () => {
  const { paths } = await document("unified");
  const { get, post } = paths["/v1/git/repos/{repo}/issues"];
  expect(Object.keys(post.responses[200].headers)).toContain("Idempotency-Replayed");
  expect(Object.keys(post.responses)).toEqual(expect.arrayContaining(["409", "422"]));
  expect(Object.keys(get.responses[200].headers)).not.toContain("Idempotency-Replayed");
  expect(Object.keys(get.responses)).not.toEqual(expect.arrayContaining(["409"]));
});

it("the fields of an invalid request have messages in the descriptions of Platform and Auth", async () => {
  const [platform, auth] = [await document("platform"), await document("auth")];
  for (const { properties } of [platform.components.schemas.Failure, auth.components.schemas.AuthFailure])
    expect(properties.errors.additionalProperties).toEqual({ type: "array", items: { type: "string" } });
});

it("no parameter has an example, which the reference would send with every test request", async () => {
  const { paths } = await document("unified");
  const { parameters } = paths["/v1/git/repos"].get;
  expect(parameters.filter((parameter: any) => "example" in parameter || "example" in parameter.schema)).toEqual([]);
  expect(parameters.find(({ name }: any) => name === "params").description).toContain('{"sort":"updated"}');
});

it("an API with a public address is described as being there", async () => {
  const urls = { UNIFIED_URL: "https://api.example.com", AUTH_URL: "https://example.com/auth" };
  const own = await startService({ env: urls });
  const servers = async (surface: string) =>
    ((await (await fetch(`${own.url}/${surface}/openapi.json`)).json()) as any).servers;
  expect(await servers("unified")).toEqual([{ url: urls.UNIFIED_URL }]);
  expect(await servers("auth")).toEqual([{ url: urls.AUTH_URL }]);
  expect(await servers("platform")).toEqual([{ url: "/platform" }]);
  await own.close();
});

it("the Auth API's description has the two addresses that an application uses, with the parameters that they take", async () => {
  const { paths } = await document("auth");
  expect(Object.keys(paths)).toEqual(["/authorize", "/connection"]);
  const names = paths["/authorize"].get.parameters.map(({ name, required }: any) => `${name}${required ? "" : "?"}`);
  expect(names).toEqual([
    ...["client_id", "integration_id", "redirect_uri"],
    ...["external_id?", "state?", "connection_id?"],
  ]);
});

it("the request body of a send is described with its sample", async () => {
  const { paths } = await document("unified");
  const sends = operations.filter(({ kind }) => kind === "send");
  expect(sends.length).toBeGreaterThan(0);
  for (const { route, sample } of sends) {
    const { requestBody } = paths[route.replace(/:(\w+)/g, "{$1}")].post;
    expect(requestBody.content["application/json"].example).toEqual(sample);
  }
});

it("the Platform API's description has its paths and schemas", async () => {
  const { paths, components } = await document("platform");
  expect(Object.keys(paths).sort()).toEqual([
    "/v1/api-keys",
    "/v1/api-keys/{id}",
    "/v1/audit",
    "/v1/connect-sessions",
    "/v1/connections",
    "/v1/connections/{id}",
    "/v1/custom-fields",
    "/v1/custom-fields/{id}",
    "/v1/deliveries/{id}",
    "/v1/deliveries/{id}/resend",
    "/v1/events",
    "/v1/integrations",
    "/v1/integrations/{id}",
    "/v1/integrations/{id}/hook-secret",
    "/v1/logs",
    "/v1/logs/{id}",
    "/v1/mcp-grants",
    "/v1/mcp-grants/{id}",
    "/v1/mcp-sign-ins/{request}",
    "/v1/providers",
    "/v1/providers/{id}",
    "/v1/subscriptions",
    "/v1/subscriptions/{id}",
    "/v1/subscriptions/{id}/pause",
    "/v1/subscriptions/{id}/resume",
    "/v1/subscriptions/{id}/run",
    "/v1/tool-packs",
    "/v1/tool-packs/{id}",
    "/v1/usage",
    "/v1/webhooks",
    "/v1/webhooks/{id}",
    "/v1/webhooks/{id}/deliveries",
    "/v1/webhooks/{id}/resend",
    "/v1/webhooks/{id}/rotate-secret",
    "/v1/webhooks/{id}/secret",
    "/v1/webhooks/{id}/test",
    "/v1/workspace",
  ]);
  expect(components.schemas.NewIntegration.required).toEqual(["identifier", "type"]);
  expect(Object.keys(components.schemas.Integration.properties)).toEqual([
    "id",
    "identifier",
    "type",
    "created_at",
    "updated_at",
    "name",
    "base_url",
    "mcp_url",
    "scopes",
    "client_id",
    "has_client_secret",
    "has_private_key",
    "has_hook_secret",
    "hook_url",
    "settings",
    "proxy_base_url",
    "callback_url",
  ]);
});

describe("the reference page", () => {
  it("the reference page and its scripts are served without any other host, and nothing of it is an inline script", async () => {
    const page = await fetch(`${service.url}/docs`, { redirect: "manual" });
    expect(page.status).toBe(200);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.headers.get("x-request-id")).toBeTruthy();
    // The browser blocks anything else that the page might run or request.
    expect(page.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; .*connect-src 'self' data: http:\/\/127\.0\.0\.1:\d+; form-action 'none'; frame-ancestors 'none'; base-uri 'none'$/,
    );
    const html = await page.text();
    expect(html).toContain('<html lang="en">');
    expect(html).toContain("<title>Plugboard API reference</title>");
    for (const path of ["/dashboard", "/docs/guides"]) expect(html).toContain(`<a href="${path}">`);
    expect(html.match(/(?:src|href)="(?!\/)[^"]*"/g)).toBeNull();
    expect(html.match(/<script(?! src="[^"]+"><\/script>)/g)).toBeNull();
    const urls = [...html.matchAll(/(?:src|href)="(\/docs\/(?!guides")[^"]+)"/g)].map(([, url]) => url!);
    expect(urls).toEqual(["/docs/style.css", "/docs/js/scalar.js", "/docs/start.js"]);
    for (const url of ["/docs", ...urls]) {
      const { status, headers } = await fetch(`${service.url}${url}`);
      expect([url, status, headers.get("x-content-type-options")]).toEqual([url, 200, "nosniff"]);
    }
    const text = await Promise.all(urls.map(async (url) => (await fetch(`${service.url}${url}`)).text()));
    expect(text[1]!.length).toBeGreaterThan(1_000_000);
    for (const surface of ["unified", "platform", "auth"]) expect(text[2]).toContain(`/${surface}/openapi.json`);
  });

  it("the reference page has an icon where browsers look for it, without a change to its policy", async () => {
    const icon = await fetch(`${service.url}/favicon.ico`);
    expect(icon.status).toBe(200);
    expect(icon.headers.get("content-type")).toBe("image/svg+xml");
    expect(icon.headers.get("cache-control")).toMatch(/^public, max-age=\d+$/);
    const text = await icon.text();
    expect(text).toContain("<title>Plugboard</title>");
    // A browser would run its scripts if it was opened as a page.
    expect(text).not.toMatch(/<script|\son\w+=|href/);
    const policy = (await fetch(`${service.url}/docs`)).headers.get("content-security-policy");
    expect(policy).toContain("img-src 'self' data: blob:;");
  });

  it("the reference page's script is compressed and cached", async () => {
    const url = `${service.url}/docs/js/scalar.js`;
    const get = (headers: Record<string, string>) => fetch(url, { headers });
    const zipped = await get({ "accept-encoding": "gzip, br" });
    expect(zipped.headers.get("content-encoding")).toBe("gzip");
    expect(Number(zipped.headers.get("content-length"))).toBeLessThan(1_500_000);
    expect(zipped.headers.get("cache-control")).toMatch(/^public, max-age=\d+$/);
    const plain = await get({ "accept-encoding": "identity" });
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(await plain.text()).toBe(await zipped.text());
    const again = await get({ "if-none-match": zipped.headers.get("etag")! });
    expect([again.status, await again.text()]).toEqual([304, ""]);
  });

  it("an unknown path below the reference page is not found", async () => {
    expect((await fetch(`${service.url}/docs/nothing/here`)).status).toBe(404);
  });
});
