import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startService, type TestService } from "../support/service.ts";

describe.each(["on", "off"])("query parameters that do not exist, with DIRECT_PATH=%s", (DIRECT_PATH) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ env: { DIRECT_PATH } });
  });
  afterAll(() => service.close());

  async function warning(path: string, headers: Record<string, string> = {}): Promise<string | null> {
    const response = await fetch(service.url + path, {
      headers: {
        authorization: `Bearer ${service.apiKey}`,
        "SVC-Connection-ID": service.connections.github!,
        ...headers,
      },
    });
    expect(response.status).toBe(200);
    await response.text();
    return response.headers.get("svc-warning");
  }

  it("a misspelled parameter of the Unified API is reported with the name that was probably meant", async () => {
    expect(await warning("/unified/v1/git/repos?limti=2")).toBe("unknown query parameter limti, did you mean limit?");
    expect(await warning("/unified/v1/me?verbose=1&inclde_raw=true")).toBe(
      "unknown query parameter verbose; unknown query parameter inclde_raw, did you mean include_raw?",
    );
    expect(await warning("/unified/v1/git/repos?limti=2", { accept: "application/x-ndjson" })).toContain("limti");
  });

  it("a parameter of the Platform API that does not exist is reported, but not one for a field", async () => {
    expect(await warning("/platform/v1/connections?exernal_id=me")).toBe(
      "unknown query parameter exernal_id, did you mean external_id?",
    );
    expect(await warning("/platform/v1/connections?limit=2&metadata[plan]=pro")).toBeNull();
  });

  it("a name with any characters is reported, and at most five are", async () => {
    expect(await warning("/unified/v1/git/repos?%0d%0aX-Evil:%20%E2%80%A6=1")).toBe(
      `unknown query parameter ${encodeURIComponent("\r\nX-Evil: …")}`,
    );
    expect((await warning("/unified/v1/git/repos?a=1&b=1&c=1&d=1&e=1&f=1"))!.split("; ")).toHaveLength(5);
  });

  it("requests with known parameters get no warning", async () => {
    expect(await warning("/unified/v1/git/repos?limit=2&include_raw=true")).toBeNull();
    expect(await warning("/unified/v1/git/repos")).toBeNull();
  });
});
