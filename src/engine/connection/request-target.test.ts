import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AuthType } from "../../contracts/authentication.ts";
import type { Manifest } from "../../contracts/manifest.ts";
import { confine } from "../http/confined-path.ts";
import { createTargetFinder, type RequestTarget } from "./request-target.ts";

const manifest = {
  addresses: {
    api: "https://api.example/api/v4",
    upload: "https://api.example/upload/v4",
    content: "https://content.example/api/v4",
    site: "https://api.example",
    token: "https://api.example/oauth/token",
    mcp: "https://api.example/mcp",
  },
} as unknown as Manifest;

const finder = (
  own: Partial<Manifest> = {},
  { type = "oauth2" as AuthType, base_url = null as string | null, settings = {} } = {},
) => {
  const find = createTargetFinder({ ...manifest, ...own }, { type, base_url }, settings);
  return (path: string) => {
    const target = find(confine(path));
    return `${target.to} ${target.path}`;
  };
};

describe("a path that begins with the base address's own path", () => {
  it.each([
    ["/projects", "api /projects"],
    ["/api/v4/projects", "api /projects"],
    ["/api/v4", "api "],
    ["/api/v4/", "api /"],
    ["", "api "],
    ["/", "api /"],
    // Only whole segments, in exactly this spelling.
    ["/api/v40/projects", "api /api/v40/projects"],
    ["/api", "api /api"],
    ["/api/v4x", "api /api/v4x"],
    ["/API/v4/projects", "api /API/v4/projects"],
    ["/api%2Fv4/projects", "api /api%2Fv4/projects"],
    ["/api%2fv4%2fprojects", "api /api%2fv4%2fprojects"],
    ["/x/api/v4/projects", "api /x/api/v4/projects"],
    // An encoded slash after it is part of a value.
    ["/api/v4%2Fx", "api /api/v4%2Fx"],
    ["/api/v4/projects/a%2Fb", "api /projects/a%2Fb"],
    // A path that repeats it is written in full.
    ["/api/v4/api/v4/projects", "api /api/v4/projects"],
  ])("%s leads to %s", (path, target) => {
    expect(finder()(path)).toBe(target);
  });

  it("a base address without a path takes every path unchanged", () => {
    const find = finder({ addresses: { api: "https://api.example" } });
    for (const path of ["/api/v4/projects", "/", ""]) expect(find(path)).toBe(`api ${path}`);
  });

  it("the path of a self-hosted server counts, and not that of the hosted edition", () => {
    const own = { selfHosted: { api: "/rest/v4" } };
    const find = finder(own, { base_url: "https://own.example/below" });
    expect([find("/rest/v4/x"), find("/api/v4/x"), find("/below/rest/v4/x")]).toEqual([
      "api /x",
      "api /api/v4/x",
      "api /below/rest/v4/x",
    ]);
    for (const base_url of [null, "sandbox"]) expect(finder(own, { base_url })("/api/v4/x")).toBe("api /x");
  });

  it("a setting in the path is the connection's own, and what follows it may stand alone", () => {
    const own: Partial<Manifest> = {
      addresses: { api: "https://api.example/ex/{cloud_id}/rest/3", rest: "https://api.example/ex/{cloud_id}/rest" },
      addressesWith: { basic: { api: "https://{site}.example/rest/3", rest: "https://{site}.example/rest" } },
    };
    const find = finder(own, { settings: { cloud_id: "abc" } });
    expect(find("/ex/abc/rest/3/issue")).toBe("api /issue");
    expect(find("/rest/3/issue")).toBe("api /issue");
    expect(find("/rest/2/issue")).toBe("rest /2/issue");
    expect(find("/ex/another/rest/3/issue")).toBe("api /ex/another/rest/3/issue");
    expect(find("/3/issue")).toBe("api /3/issue");
    const basic = finder(own, { type: "basic", settings: { site: "acme" } });
    expect([basic("/rest/3/issue"), basic("/rest/2/issue")]).toEqual(["api /issue", "rest /2/issue"]);
  });

  it("an address whose setting the connection does not have is passed over", () => {
    const addresses = { api: "https://api.example/v1", guild: "https://api.example/v1/guilds/{guild_id}" };
    expect(finder({ addresses })("/v1/guilds/7/roles")).toBe("api /guilds/7/roles");
    expect(finder({ addresses }, { settings: { guild_id: "7" } })("/v1/guilds/7/roles")).toBe("guild /roles");
  });
});

describe("the provider's other addresses", () => {
  it.each([
    ["/upload/v4/files", "upload /files"],
    ["/upload/v4", "upload "],
    ["/upload/v40", "api /upload/v40"],
    // OAuth's addresses take no access token, and MCP has its own surface.
    ["/oauth/token", "api /oauth/token"],
    ["/mcp", "api /mcp"],
    ["/@upload/files", "upload /files"],
    ["/@upload/upload/v4/files", "upload /files"],
    ["/@content/files", "content /files"],
    ["/@content/api/v4/files", "content /files"],
    ["/@content", "content "],
    ["/@site/api/v4/projects", "site /api/v4/projects"],
    ["/@api/projects", "api /projects"],
    // What a path is after `@api` is the provider's.
    ["/@api/@upload/files", "api /@upload/files"],
    ["/@api/upload/v4/files", "api /upload/v4/files"],
    // Not names.
    ["/@/x", "api /@/x"],
    ["/@host:80/x", "api /@host:80/x"],
    ["/%40upload/x", "api /%40upload/x"],
    ["/users/@me", "api /users/@me"],
  ])("%s leads to %s", (path, target) => {
    expect(finder()(path)).toBe(target);
  });

  it.each(["/@unknown/x", "/@token/x", "/@mcp", "/@constructor/x"])(
    "%s is refused with the names there are",
    (path) => {
      expect(() => finder()(path)).toThrow(/path/);
      try {
        finder()(path);
      } catch (error) {
        expect((error as { problems: { message: string }[] }).problems[0]!.message).toMatch(
          /the provider's addresses are @api, @upload, @content, @site$/,
        );
      }
    },
  );
});

it("what is left of a path stays confined: nothing after a prefix names another host or leaves the address", () => {
  for (const path of ["/@site//evil.example/x", "/api/v4//evil.example", "/@content//x"])
    expect(() => finder()(path)).toThrow(/two slashes/);
  const piece = fc.constantFrom(
    ...[
      "/api/v4",
      "/upload/v4",
      "/@site",
      "/@content",
      "/@api",
      "/",
      "//",
      "\\",
      "%2f",
      "%5c",
      "..",
      ".",
      "x",
      "@",
      "%40",
    ],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const find = createTargetFinder(manifest, { type: "oauth2", base_url: null }, {});
      const path = `/${pieces.join("")}`;
      let target: RequestTarget;
      try {
        target = find(confine(path));
      } catch {
        return;
      }
      expect(confine(target.path)).toBe(target.path);
      expect(target.prefix + target.path).toBe(path);
      expect(new URL(target.path || "/", "https://host.example").host).toBe("host.example");
    }),
  );
});
