// deploy/helm: the rendered chart is checked against Kubernetes' own types, and against deploy/kubernetes.
import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv } from "ajv";
import { CORE_SCHEMA, loadAll, mergeTag } from "js-yaml";
import { describe, expect, it, onTestFinished } from "vitest";
import { variables } from "../../src/config/variables.ts";
import { type KubernetesObject, typeErrors } from "./support/kubernetes-types.ts";
import { chart, defaultValues, renderChart } from "./support/render-chart.ts";

const root = join(import.meta.dirname, "../..");
const needed = {
  publicUrl: "https://plugboard.example.com",
  existingSecret: "plugboard",
  image: { repository: "registry.example.com/plugboard" },
};
/** Everything that can be set, set. */
const everything = {
  ...needed,
  image: { ...needed.image, tag: "9.9.9", pullPolicy: "Always" },
  imagePullSecrets: [{ name: "registry" }],
  replicas: 5,
  config: { WORKERS: "2", LOG_LEVEL: "debug" },
  ingress: { enabled: true, annotations: { "example.com/more": "yes" } },
  podLabels: { team: "integrations" },
  nodeSelector: { "kubernetes.io/arch": "arm64" },
  tolerations: [{ key: "dedicated", operator: "Exists", effect: "NoSchedule" }],
  affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } },
  extraVolumes: [{ name: "providers", configMap: { name: "providers" } }],
  extraVolumeMounts: [{ name: "providers", mountPath: "/providers", readOnly: true }],
};
const find = (objects: KubernetesObject[], kind: string) => objects.find((object) => object.kind === kind)!;
const yaml = CORE_SCHEMA.withTags(mergeTag);
const manifests = globSync("deploy/kubernetes/*.yaml", { cwd: root }).flatMap(
  (file) => loadAll(readFileSync(join(root, file), "utf8"), { schema: yaml }) as KubernetesObject[],
);

describe("the Helm chart", () => {
  it("the chart's objects match Kubernetes' own types, with the least and with the most values", () => {
    const least = renderChart(needed).objects;
    const most = renderChart(everything, "a-release").objects;
    expect(least.map(({ kind }) => kind).sort()).toEqual(["ConfigMap", "Deployment", "PodDisruptionBudget", "Service"]);
    expect(most.map(({ kind }) => kind).sort()).toEqual([
      "ConfigMap",
      "Deployment",
      "Ingress",
      "PodDisruptionBudget",
      "Service",
    ]);
    expect(typeErrors([...least, ...most])).toBe("");
    const names = new Set(most.map(({ metadata }) => metadata.name));
    expect([...names]).toEqual(["a-release-plugboard"]);
    expect(find(most, "Deployment").spec.template.spec).toMatchObject({
      nodeSelector: everything.nodeSelector,
      tolerations: everything.tolerations,
      affinity: everything.affinity,
      imagePullSecrets: everything.imagePullSecrets,
      containers: [{ image: "registry.example.com/plugboard:9.9.9", imagePullPolicy: "Always" }],
    });
  });

  it("the chart makes the same objects as deploy/kubernetes, but for labels", () => {
    const { objects } = renderChart({ ...needed, ingress: { enabled: true } });
    const withoutLabels = (object: KubernetesObject) =>
      JSON.parse(
        JSON.stringify(object, (key, value) =>
          ["labels", "matchLabels", "selector", "checksum/config", "imagePullPolicy"].includes(key) ? undefined : value,
        ),
      );
    expect(manifests).toHaveLength(objects.length);
    for (const manifest of manifests)
      expect(withoutLabels(find(objects, manifest.kind))).toEqual(withoutLabels(manifest));
  });

  it("the chart selects the pods that it makes, and restarts them when a setting changes", () => {
    const { objects } = renderChart(everything, "one");
    const pod = find(objects, "Deployment").spec.template.metadata;
    const selector = { "app.kubernetes.io/name": "plugboard", "app.kubernetes.io/instance": "one" };
    expect(pod.labels).toEqual({ ...selector, team: "integrations" });
    expect(find(objects, "Deployment").spec.selector.matchLabels).toEqual(selector);
    expect(find(objects, "Service").spec.selector).toEqual(selector);
    expect(find(objects, "PodDisruptionBudget").spec.selector.matchLabels).toEqual(selector);
    const checksum = (more: object) =>
      find(renderChart({ ...everything, ...more }).objects, "Deployment").spec.template.metadata.annotations[
        "checksum/config"
      ];
    expect(checksum({})).toBe(checksum({}));
    expect(checksum({ config: { LOG_LEVEL: "warn" } })).not.toBe(checksum({}));
  });

  it("the chart has only settings that the service knows, and none that is secret", () => {
    const { data } = find(renderChart(needed).objects, "ConfigMap");
    for (const name of Object.keys(data)) {
      expect(Object.keys(variables)).toContain(name);
      expect(variables[name as keyof typeof variables]).not.toHaveProperty("secret");
    }
  });

  it.each(["publicUrl", "existingSecret", "image"])("the chart says what to do if %s is missing", (name) => {
    expect(() => renderChart({ ...needed, [name]: name === "image" ? { repository: "" } : "" })).toThrow(
      `set ${name === "image" ? "image.repository" : name} to`,
    );
  });

  it("the schema of the values accepts these, and refuses misspelled ones and secrets", () => {
    const validate = new Ajv().compile(JSON.parse(readFileSync(join(chart, "values.schema.json"), "utf8")));
    for (const values of [defaultValues(), needed, everything]) {
      validate(values);
      expect(validate.errors).toBeNull();
    }
    for (const values of [
      { replica: 2 },
      { ENCRYPTION_KEY: "x" },
      { config: { PORT: 8080 } },
      { publicUrl: "plugboard.example.com" },
      { publicUrl: "https://plugboard.example.com/" },
    ])
      expect(validate(values)).toBe(false);
    expect(Object.keys(defaultValues()).sort()).toEqual(
      Object.keys(validate.schema instanceof Object ? validate.schema.properties : {})
        .filter((name) => name !== "global")
        .sort(),
    );
  });

  const hasHelm = spawnSync("helm", ["version"], { stdio: "ignore" }).status === 0;
  it.skipIf(!hasHelm)("Helm renders the same objects, and its linter finds nothing", () => {
    const folder = mkdtempSync(join(tmpdir(), "plugboard-helm-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, "values.json");
    writeFileSync(file, JSON.stringify(everything));
    const helm = (...args: string[]) => spawnSync("helm", args, { encoding: "utf8" });
    expect(helm("lint", "--strict", chart, "--values", file).status).toBe(0);
    const { stdout, stderr } = helm("template", "a-release", chart, "--values", file);
    expect(stderr).toBe("");
    const byKind = (objects: KubernetesObject[]) => objects.toSorted((a, b) => (a.kind < b.kind ? -1 : 1));
    const rendered = (loadAll(stdout) as KubernetesObject[]).filter(Boolean);
    expect(byKind(rendered)).toEqual(byKind(renderChart(everything, "a-release").objects));
  });
});
