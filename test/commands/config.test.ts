import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Variable } from "../../src/config/define.ts";
import { ConfigError, misspelledVariables, readConfig } from "../../src/config/index.ts";
import { variables } from "../../src/config/variables.ts";

const secretNames = new Set(
  Object.entries<Variable<unknown>>(variables).flatMap(([name, { secret }]) => (secret ? [name] : [])),
);

function errorLines(env: Record<string, string>): string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.lines;
    throw error;
  }
}

describe("configuration", () => {
  it("an empty environment gives the default configuration", () => {
    const config = readConfig({});
    expect(config).toMatchObject({
      host: "127.0.0.1",
      port: 8080,
      workers: 1,
      dataDir: "./data",
      databaseUrl: undefined,
      redisUrl: undefined,
      headerPrefix: "SVC-",
      sandbox: true,
      dashboard: true,
      dashboardUrl: "http://127.0.0.1:8080/dashboard",
      unifiedRateLimit: { points: 100, seconds: 60 },
      rateLimit: { points: 100, seconds: 60 },
      upstreamTimeoutMs: 20_000,
      upstreamRetryTimeoutMs: 10_000,
      upstreamMaxBodyMb: 16,
      upstreamMaxValues: 500_000,
      allowPrivateUpstreams: false,
      logLevel: "info",
    });
    expect(config.urls.unified).toBe("http://127.0.0.1:8080/unified");
    expect(config.urls.mcp).toBe("http://127.0.0.1:8080/mcp");
  });

  it("an empty variable counts as unset", () => {
    const empty = Object.fromEntries(Object.keys(variables).map((name) => [name, " "]));
    expect(readConfig(empty)).toEqual(readConfig({}));
  });

  it("the URLs of a service that listens on every address name an address that can be called", () => {
    expect(readConfig({ HOST: "0.0.0.0", PORT: "1", SANDBOX: "off" }).urls.auth).toBe("http://127.0.0.1:1/auth");
    expect(readConfig({ HOST: "::", PORT: "1", SANDBOX: "off" }).urls.auth).toBe("http://[::1]:1/auth");
    expect(readConfig({ HOST: "::1", PORT: "1" }).urls.auth).toBe("http://[::1]:1/auth");
  });

  const invalid: [string, string][] = [
    ["HOST", "two words"],
    ["HOST", "127.0.0.1:80"],
    ["HOST", "127.0.0.256"],
    ["HOST", "fe80::1::2"],
    ["PORT", "eighty"],
    ["PORT", "-1"],
    ["PORT", "65536"],
    ["PORT", "80.5"],
    ["WORKERS", "0"],
    ["WORKERS", "257"],
    ["WORKERS", "two"],
    ["WORKERS", "1.5"],
    ["DATABASE_URL", "mysql://host/name"],
    ["DATABASE_URL", "host/name"],
    ["REDIS_URL", "http://host"],
    ["ENCRYPTION_KEY", "short"],
    ["ENCRYPTION_KEY", randomBytes(31).toString("base64")],
    ["ENCRYPTION_KEY", `${randomBytes(32).toString("base64")},`],
    ["HEADER_PREFIX", "My Prefix-"],
    ["HEADER_PREFIX", "-X"],
    ["SANDBOX", "yes"],
    ["DASHBOARD", "yes"],
    ["DIRECT_PATH", "yes"],
    ["UNIFIED_RATE_LIMIT", "100"],
    ["RATE_LIMIT", "0/60"],
    ["RATE_LIMIT", "10/0"],
    ["UPSTREAM_TIMEOUT_MS", "20s"],
    ["UPSTREAM_RETRY_TIMEOUT_MS", "0"],
    ["UPSTREAM_MAX_BODY_MB", "0"],
    ["UPSTREAM_MAX_BODY_MB", "16MB"],
    ["UPSTREAM_MAX_VALUES", "999"],
    ["ALLOW_PRIVATE_UPSTREAMS", "on"],
    ["ALLOW_PRIVATE_UPSTREAMS", "10.0.0.0/33"],
    ["HTTPS_PROXY", "socks5://proxy"],
    ["PROXY_TARGET", "dns"],
    ["REDIS_URL", "redis+sentinel://host"],
    ["REDIS_URL", "redis://host/abc"],
    ["REDIS_URL", "redis://host/0/1"],
    ["REDIS_URL", "redis://host?db=abc"],
    ["REDIS_URL", "redis://user:p%zz@host/9"],
    ["REDIS_URL", "redis+sentinel://user:p%zz@host/name"],
    ["REDIS_URL", "redis+sentinel://host/na%zzme"],
    ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4317"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "authorization"],
    ["OTEL_TRACES_SAMPLER", "jaeger_remote"],
    ["OTEL_TRACES_SAMPLER_ARG", "2"],
    ["OTEL_METRICS_EXPORTER", "prometheus"],
    ["LOG_LEVEL", "loud"],
    ["UNIFIED_URL", "api.example.com"],
    ["PLATFORM_URL", "ftp://api.example.com"],
    ["AUTH_URL", "https://user:pass@api.example.com"],
    ["PROXY_URL", "https://api.example.com/?a=b"],
    ["MCP_URL", "https://api.example.com/#a"],
    ["DASHBOARD_URL", "https://example.com"],
    ["DASHBOARD_URL", "https://example.com/plugboard/dashboard"],
    ["DASHBOARD_SIGN_IN", "none"],
    ["OIDC_ISSUER", "login.example.com"],
    ["OIDC_ISSUER", "http://login.example.com"],
    ["OIDC_ISSUER", "http://127.0.0.1.example.com"],
    ["OIDC_ISSUER", "https://user@login.example.com"],
    ["OIDC_ISSUER", "https://login.example.com/?tenant=a"],
    ["OIDC_ALLOWED_DOMAINS", "@example.com"],
    ["OIDC_ALLOWED_DOMAINS", "*.example.com"],
    ["OIDC_ALLOWED_DOMAINS", "example.com,"],
    ["OIDC_ROLES", "staff"],
    ["EXPORT_PASSPHRASE", "short"],
    ["NANGO_ENCRYPTION_KEY", "short"],
    ["OIDC_ROLES", "staff=admin"],
    ["OIDC_ROLES", "staff=owner@production"],
    ["OIDC_ROLES", "staff=Admin@production"],
    ["OIDC_ROLES", "=admin@production"],
    ["OIDC_ROLES", "staff=admin@"],
    ["OIDC_ROLES", "staff=admin@production,,"],
  ];
  it.each(invalid)("%s=%s is refused with one line that names the variable", (name, value) => {
    const lines = errorLines({ [name]: value });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(`${name}: must be `);
    expect(lines[0]).not.toContain("\n");
  });

  it.each([
    ["HOST", "fe80::1"],
    ["REDIS_URL", "rediss://user:p%25zz@host:6379/9?db=1"],
    ["REDIS_URL", "redis+sentinel://user:p%25zz@[::1]:1,host/name/9"],
  ])("%s=%s is accepted", (name, value) => {
    expect(errorLines({ [name]: value, SANDBOX: "off" })).toEqual([]);
  });

  it("all invalid variables are reported together", () => {
    expect(errorLines({ PORT: "x", SANDBOX: "x", LOG_LEVEL: "x" }).map((line) => line.split(":")[0])).toEqual([
      "PORT",
      "SANDBOX",
      "LOG_LEVEL",
    ]);
  });

  it("an error about a secret variable does not contain its value", () => {
    const lines = errorLines({
      DATABASE_URL: "mysql://root:hunter2@db",
      ENCRYPTION_KEY: "hunter2",
      REDIS_URL: "hunter2",
    });
    expect(lines).toHaveLength(3);
    expect(lines.join()).not.toContain("hunter2");
  });

  const oidc = {
    OIDC_ISSUER: "https://login.example.com",
    OIDC_CLIENT_ID: "plugboard",
    OIDC_CLIENT_SECRET: "hunter2",
    OIDC_ROLES: "staff=admin@*",
  };

  it("OpenID Connect is configured by an issuer, a client and roles", () => {
    expect(readConfig({}).oidc).toBeUndefined();
    const roles = " staff = admin @ * , cn=ops=developer@my space,a@b=viewer@x@y,*=viewer@*";
    expect(readConfig({ ...oidc, OIDC_ALLOWED_DOMAINS: "Example.com, example.org", OIDC_ROLES: roles })).toMatchObject({
      dashboardSignIn: "all",
      oidc: {
        issuer: "https://login.example.com",
        clientId: "plugboard",
        clientSecret: "hunter2",
        allowedDomains: ["example.com", "example.org"],
        groupsClaim: "groups",
        roles: [
          { group: "staff", role: "admin", workspace: "*" },
          { group: "cn=ops", role: "developer", workspace: "my space" },
          { group: "a@b", role: "viewer", workspace: "x@y" },
          { group: "*", role: "viewer", workspace: "*" },
        ],
      },
    });
    for (const OIDC_ISSUER of ["http://127.0.0.1:9000/realm", "http://localhost", "http://[::1]:1"])
      expect(readConfig({ ...oidc, OIDC_ISSUER }).oidc?.issuer).toBe(OIDC_ISSUER);
  });

  it.each(["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "OIDC_ROLES"])(
    "OpenID Connect without %s is refused, and so is DASHBOARD_SIGN_IN=oidc",
    (missing) => {
      for (const env of [oidc, { ...oidc, DASHBOARD_SIGN_IN: "oidc" }]) {
        const lines = errorLines({ ...env, [missing]: "" });
        expect(lines).toEqual([expect.stringContaining(`${missing}: required with `)]);
        expect(lines.join()).not.toContain("hunter2");
      }
    },
  );

  it("each of the other variables of OpenID Connect requires an issuer", () => {
    const others = { OIDC_ALLOWED_DOMAINS: "example.com", OIDC_GROUPS_CLAIM: "roles", DASHBOARD_SIGN_IN: "oidc" };
    for (const [name, value] of Object.entries(others)) expect(errorLines({ [name]: value })).toHaveLength(4);
    expect(errorLines({ DASHBOARD_SIGN_IN: "all" })).toEqual([]);
  });

  it("Postgres requires an encryption key", () => {
    const lines = errorLines({ DATABASE_URL: "postgres://localhost/plugboard" });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^ENCRYPTION_KEY: required with DATABASE_URL;/);
    expect(
      errorLines({ DATABASE_URL: "postgres://localhost/x", ENCRYPTION_KEY: randomBytes(32).toString("base64") }),
    ).toEqual([]);
  });

  describe("WORKERS", () => {
    const shared = {
      DATABASE_URL: "postgres://localhost/plugboard",
      REDIS_URL: "redis://localhost",
      ENCRYPTION_KEY: randomBytes(32).toString("base64"),
      SANDBOX: "off",
    };

    it("WORKERS is a number, or auto for one worker per core", () => {
      expect(readConfig({ ...shared, WORKERS: "3" }).workers).toBe(3);
      expect(readConfig({ ...shared, WORKERS: "auto" }).workers).toBe(availableParallelism());
    });

    it.each(["2", "auto"])("WORKERS=%s needs Postgres, Redis and no sandbox, and says why", (WORKERS) => {
      expect(errorLines({ WORKERS })).toEqual([
        `WORKERS: must be 1, not ${WORKERS}, unless you set DATABASE_URL (the embedded database works inside one process and has one writer at a time), REDIS_URL (workers share rate limits, locks and changes over Redis), SANDBOX=off (emulated providers keep their state in one process)`,
      ]);
      for (const [name, missing] of [
        ["DATABASE_URL", "DATABASE_URL"],
        ["REDIS_URL", "REDIS_URL"],
        ["SANDBOX", "SANDBOX=off"],
      ] as const)
        expect(errorLines({ ...shared, WORKERS, [name]: " " })).toEqual([
          expect.stringMatching(
            new RegExp(`^WORKERS: must be 1, not ${WORKERS}, unless you set ${missing} \\([^()]*\\)$`),
          ),
        ]);
      expect(errorLines({ ...shared, WORKERS, SANDBOX: "public" })).toHaveLength(1);
    });

    it("an invalid address is reported as such, and not as missing", () => {
      const lines = errorLines({ ...shared, WORKERS: "2", REDIS_URL: "http://localhost" });
      expect(lines).toEqual([expect.stringMatching(/^REDIS_URL: must be /)]);
    });

    it("one worker needs nothing", () => {
      expect(errorLines({ WORKERS: "1" })).toEqual([]);
    });
  });

  it("ENCRYPTION_KEY takes several keys", () => {
    const keys = [1, 2, 3].map(() => randomBytes(32).toString("base64")).join(", ");
    expect(readConfig({ ENCRYPTION_KEY: keys }).encryptionKey).toBe(keys);
  });

  it("a URL without a path gives its surface a host, which no other surface may share", () => {
    const { hosts, urls } = readConfig({
      PROXY_URL: "https://Proxy.example.com/",
      MCP_URL: "https://x.example.com/mcp/",
    });
    expect([...hosts]).toEqual([["proxy.example.com", "proxy"]]);
    expect(urls.mcp).toBe("https://x.example.com/mcp");
    const lines = errorLines({ PROXY_URL: "https://x.example.com", MCP_URL: "https://x.example.com/mcp" });
    expect(lines).toEqual([expect.stringMatching(/^PROXY_URL: .*MCP_URL/)]);
  });

  it("the dashboard's address must not have the host of a single surface", () => {
    const env = { PROXY_URL: "https://x.example.com", DASHBOARD_URL: "https://x.example.com/dashboard" };
    expect(errorLines(env)).toEqual(["DASHBOARD_URL: must not have the host of PROXY_URL"]);
    expect(readConfig({ DASHBOARD_URL: "https://x.example.com/dashboard/" }).dashboardUrl).toBe(env.DASHBOARD_URL);
  });

  it("a variable that looks like one of ours is found, and others of the system are left alone", () => {
    const others = { PATH: "/bin", HOME: "/root", HOSTNAME: "box", POST: "1", PORTS: "1", npm_config_port: "1" };
    expect(misspelledVariables({ ...others, DATABSE_URL: "x", SANDBOXX: "off", DATABASE_URL: "y" })).toEqual([
      { given: "DATABSE_URL", meant: "DATABASE_URL" },
      { given: "SANDBOXX", meant: "SANDBOX" },
    ]);
  });

  it("docs/configuration.md and docs/telemetry.md list exactly the variables and their defaults", () => {
    const page = ["configuration", "telemetry"]
      .map((name) => readFileSync(join(import.meta.dirname, `../../docs/${name}.md`), "utf8"))
      .join("");
    const rows = [...page.matchAll(/^\| `([A-Z_]+)` \| (?:`([^`]*)`)? ?\|/gm)].map(([, name, value]) => [
      name,
      value ?? "",
    ]);
    expect(rows).toEqual(Object.entries(variables).map(([name, { fallback }]) => [name, fallback]));
    const secrets = [...page.matchAll(/^\| `([A-Z_]+)` \|[^|]*\| \(secret\)/gm)].map(([, name]) => name);
    expect(secrets).toEqual(Object.keys(variables).filter((name) => secretNames.has(name)));
  });

  describe("secrets in files", () => {
    const folder = mkdtempSync(join(tmpdir(), "plugboard-secrets-"));
    afterAll(() => rmSync(folder, { recursive: true }));
    const write = (name: string, content: string) => {
      const file = join(folder, name);
      writeFileSync(file, content);
      return file;
    };
    const values: Record<string, string> = {
      DATABASE_URL: "postgres://localhost/x",
      REDIS_URL: "redis+sentinel://one,two:1/main",
      ENCRYPTION_KEY: [1, 2].map(() => randomBytes(32).toString("base64")).join("\n"),
      HTTPS_PROXY: "http://me:pass@proxy:3128",
      HTTP_PROXY: "http://proxy:3128",
      OIDC_CLIENT_SECRET: "hunter2",
      NANGO_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    };

    it("every secret variable can be given as a file, with the same result", () => {
      const given: Record<string, string> = {};
      const inFiles: Record<string, string> = {};
      for (const name of secretNames) {
        given[name] = values[name] ?? "x-name=value";
        inFiles[`${name}_FILE`] = write(name, ` ${given[name]}\n`);
      }
      const rest = { ...oidc, OIDC_CLIENT_SECRET: "", OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" };
      expect(readConfig({ ...rest, ...inFiles })).toEqual(readConfig({ ...rest, ...given }));
      expect(misspelledVariables(inFiles)).toEqual([]);
    });

    it("a file that is missing, empty or wrong is named, and its content is not shown", () => {
      const [missing, empty, wrong] = [join(folder, "none"), write("empty", "\n"), write("wrong", "hunter2")];
      expect(errorLines({ DATABASE_URL_FILE: missing, REDIS_URL_FILE: empty, ENCRYPTION_KEY_FILE: wrong })).toEqual([
        `DATABASE_URL_FILE: cannot read the file ${missing}: ENOENT`,
        `REDIS_URL_FILE: the file is empty: ${empty}`,
        expect.stringMatching(/^ENCRYPTION_KEY_FILE: must be 32 bytes(?!.*hunter2)/),
      ]);
    });

    it("a variable and its file, or a key and its command, must not be set together", () => {
      const key = randomBytes(32).toString("base64");
      expect(errorLines({ REDIS_URL: "redis://x", REDIS_URL_FILE: write("r", "redis://y") })).toEqual([
        "REDIS_URL_FILE: must not be set together with REDIS_URL",
      ]);
      expect(errorLines({ ENCRYPTION_KEY_FILE: write("k", key), ENCRYPTION_KEY_COMMAND: "true" })).toEqual([
        "ENCRYPTION_KEY_COMMAND: must not be set together with ENCRYPTION_KEY_FILE",
      ]);
      expect(errorLines({ DATABASE_URL: "postgres://localhost/x", ENCRYPTION_KEY_COMMAND: "true" })).toEqual([]);
    });
  });

  it("the proxy is read in either case, and this service is called without it", () => {
    expect(readConfig({ NO_PROXY: "a" }).proxy).toBeUndefined();
    const env = { HTTPS_PROXY: "http://a:1", https_proxy: "b:2", no_proxy: ".x, 10.0.0.0/8", PROXY_TARGET: "address" };
    expect(readConfig(env).proxy).toEqual({
      http: undefined,
      https: "http://b:2",
      exceptions: [".x", "10.0.0.0/8", "127.0.0.1"],
      target: "address",
    });
    expect(misspelledVariables(env)).toEqual([]);
  });

  it("private upstreams are all allowed, or none, or those in ranges", () => {
    expect(readConfig({ ALLOW_PRIVATE_UPSTREAMS: "true" }).allowPrivateUpstreams).toBe(true);
    expect(readConfig({ ALLOW_PRIVATE_UPSTREAMS: "10.0.0.0/8, fd00::/8" }).allowPrivateUpstreams).toEqual([
      "10.0.0.0/8",
      "fd00::/8",
    ]);
  });

  it("OpenTelemetry is on with an address only, for the signals that have one", () => {
    expect(readConfig({ OTEL_SERVICE_NAME: "x" }).telemetry).toBeUndefined();
    const OTEL_EXPORTER_OTLP_ENDPOINT = "http://collector:4318/base/";
    expect(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SDK_DISABLED: "TRUE" }).telemetry).toBeUndefined();
    expect(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_LOGS_EXPORTER: "none" }).telemetry).toMatchObject({
      traces: { url: "http://collector:4318/base/v1/traces", protocol: "http/protobuf", timeoutMs: 10_000 },
      metrics: { url: "http://collector:4318/base/v1/metrics" },
      logs: undefined,
      serviceName: "plugboard",
      sampler: { isParentBased: true, ratio: 1 },
      propagates: true,
    });
    const own = {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://traces/in",
      OTEL_RESOURCE_ATTRIBUTES: "service.name=mine",
      OTEL_TRACES_SAMPLER: "traceidratio",
      OTEL_TRACES_SAMPLER_ARG: "0.25",
      OTEL_PROPAGATORS: "none",
    };
    expect(readConfig(own).telemetry).toMatchObject({
      traces: { url: "https://traces/in" },
      metrics: undefined,
      serviceName: "mine",
      sampler: { isParentBased: false, ratio: 0.25 },
      propagates: false,
    });
  });
});
