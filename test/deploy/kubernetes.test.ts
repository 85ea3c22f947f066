// deploy/kubernetes: every object is checked against Kubernetes' own types, unknown fields included, and against what
// the service needs.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CORE_SCHEMA, loadAll, mergeTag } from "js-yaml";
import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/config/index.ts";
import { variables } from "../../src/config/variables.ts";
import { createMcpAddresses } from "../../src/surfaces/shared/mcp-addresses.ts";
import { type KubernetesObject, typeErrors } from "./support/kubernetes-types.ts";

const root = join(import.meta.dirname, "../..");
const files = globSync("deploy/kubernetes/*", { cwd: root }).sort();

const schema = CORE_SCHEMA.withTags(mergeTag);
const objects = files.flatMap(
  (filename) => loadAll(readFileSync(join(root, filename), "utf8"), { schema, filename }) as KubernetesObject[],
);
const find = (kind: string) => objects.find((object) => object.kind === kind)!;

describe("the Kubernetes manifests", () => {
  it("the manifests match Kubernetes' own types, with no field that does not exist", () => {
    expect(objects.map(({ kind }) => kind).sort()).toEqual([
      "ConfigMap",
      "Deployment",
      "Ingress",
      "PodDisruptionBudget",
      "Secret",
      "Service",
    ]);
    expect(typeErrors(objects)).toBe("");
  });

  it("the check finds a misspelled field, a wrong type, a missing field and a wrong API", () => {
    const changed = (kind: string, change: (object: KubernetesObject) => void) => {
      const object = structuredClone(find(kind));
      change(object);
      return object;
    };
    const inContainer = (change: (container: KubernetesObject) => void) =>
      changed("Deployment", ({ spec }) => change(spec.template.spec.containers[0]));
    const errors = typeErrors([
      changed("Deployment", ({ spec }) => Object.assign(spec, { replicaz: 2 })),
      inContainer((container) => Object.assign(container, { livenesProbe: {} })),
      inContainer(({ ports }) => Object.assign(ports[0], { containerPort: "8080" })),
      changed("Service", ({ spec }) => delete spec.ports[0].port),
      { ...find("PodDisruptionBudget"), apiVersion: "apps/v1" },
    ]);
    const lines = errors.split("\n").filter((line) => line.startsWith("objects.ts"));
    const expected = ["replicaz", "livenesProbe", "'string'", "'port' is missing", "PodDisruptionBudget"];
    for (const [index, text] of expected.entries())
      expect(lines.find((line) => line.startsWith(`objects.ts(${index + 1},`))).toContain(text);
  });

  const { spec: deployment } = find("Deployment");
  const { spec: pod, metadata: podMetadata } = deployment.template;
  const [container] = pod.containers;

  it("the manifests run at least two processes, as a user with no rights, on a read-only file system", () => {
    expect(deployment.replicas).toBeGreaterThanOrEqual(2);
    expect(deployment.strategy.rollingUpdate.maxUnavailable).toBe(0);
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
    expect(pod.automountServiceAccountToken).toBe(false);
    expect(container.volumeMounts.map(({ name }: { name: string }) => name).sort()).toEqual(
      pod.volumes.map(({ name }: { name: string }) => name).sort(),
    );
  });

  it("the manifests probe liveness at /healthz and readiness at /readyz, and leave a process the time to stop", () => {
    const [port] = container.ports;
    for (const [probe, path] of [
      ["startupProbe", "/healthz"],
      ["livenessProbe", "/healthz"],
      ["readinessProbe", "/readyz"],
    ] as const)
      expect(container[probe].httpGet).toEqual({ path, port: port.name });
    const [, seconds] = container.lifecycle.preStop.exec.command;
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(45 + Number(seconds));
    expect(readFileSync(join(root, "Dockerfile"), "utf8")).toContain(`PORT=${port.containerPort}`);
  });

  it("the manifests select the same pods everywhere, and name what exists", () => {
    const labels = podMetadata.labels;
    expect(deployment.selector.matchLabels).toEqual(labels);
    expect(find("Service").spec.selector).toEqual(labels);
    expect(find("PodDisruptionBudget").spec.selector.matchLabels).toEqual(labels);
    expect(find("PodDisruptionBudget").spec.minAvailable).toBeLessThan(deployment.replicas);
    expect(container.envFrom).toEqual([
      { configMapRef: { name: find("ConfigMap").metadata.name } },
      { secretRef: { name: find("Secret").metadata.name } },
    ]);
    const [servicePort] = find("Service").spec.ports;
    expect(servicePort.targetPort).toBe(container.ports[0].name);
    for (const { backend } of find("Ingress").spec.rules[0].http.paths)
      expect(backend.service).toEqual({ name: find("Service").metadata.name, port: { name: servicePort.name } });
  });

  it("the manifests have settings that the service accepts, and every secret in the Secret", () => {
    const { data } = find("ConfigMap");
    const { stringData } = find("Secret");
    for (const name of [...Object.keys(data), ...Object.keys(stringData)])
      expect(Object.keys(variables)).toContain(name);
    for (const name of Object.keys(data))
      expect(variables[name as keyof typeof variables]).not.toHaveProperty("secret");
    const ENCRYPTION_KEY = Buffer.alloc(32, 1).toString("base64");
    const config = readConfig({ ...data, ...stringData, ENCRYPTION_KEY, HOST: "0.0.0.0" });
    expect(config.sandbox).toBe(false);
    expect([config.databaseUrl, config.redisUrl]).toEqual([stringData.DATABASE_URL, stringData.REDIS_URL]);
    expect(stringData.ENCRYPTION_KEY).toBe("");
  });

  const paths: string[] = find("Ingress").spec.rules[0].http.paths.map(({ path }: { path: string }) => path);

  it("the manifests keep metrics and health inside the cluster, and forward every surface", () => {
    const surfaces = paths.filter((path) => !path.startsWith("/.well-known/"));
    expect(surfaces.toSorted()).toEqual(["/auth", "/dashboard", "/docs", "/mcp", "/platform", "/proxy", "/unified"]);
    expect(find("Service").spec.type).toBeUndefined();
  });

  it("the manifests forward the metadata that MCP clients need to sign in", () => {
    const { UNIFIED_URL: unifiedUrl, AUTH_URL: authUrl } = find("ConfigMap").data;
    const store = { workspaces: {} as never };
    const addresses = createMcpAddresses({ store, unifiedUrl, authUrl, isLocal: false, sandboxWorkspace: "" });
    for (const metadata of [
      new URL(addresses.metadataUrl(addresses.of())).pathname,
      new URL(addresses.metadataUrl(addresses.of("client"))).pathname,
      `/.well-known/oauth-authorization-server${new URL(addresses.issuer).pathname}`,
    ])
      expect(paths.filter((path) => `${metadata}/`.startsWith(`${path}/`))).toHaveLength(1);
  });

  it("kubectl apply -f skips the example of the secret", () => {
    const applied = files.filter((file) => /\.(ya?ml|json)$/.test(file));
    expect(files.filter((file) => !applied.includes(file))).toEqual(["deploy/kubernetes/secret.yaml.example"]);
  });
});
