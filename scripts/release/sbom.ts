// The software bill of materials, in CycloneDX, of everything that the package contains.
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./run.ts";

interface Component {
  "bom-ref": string;
  name: string;
  version: string;
}

interface Bom {
  serialNumber: string;
  metadata: { timestamp: string; component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

export interface Bundled {
  /** Its folder, relative to the checkout. */
  path: string;
  name: string;
  version: string;
}

/** The packages of the lock file that production needs. */
export function productionPackages(root: string): Bundled[] {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, { version: string; dev?: boolean; optional?: boolean; devOptional?: boolean }>;
  };
  return Object.entries(packages)
    .filter(([path, { dev, optional, devOptional }]) => path && !dev && !optional && !devOptional)
    .map(([path, { version }]) => ({ path, name: path.split("node_modules/").at(-1)!, version }));
}

/**
 * npm's own document, cut down to what production needs: with `--omit dev`, npm 11 also leaves out what development and
 * production share. Number and time follow from the content, so that the same sources give the same document.
 */
export function makeSbom(root: string, time: Date): string {
  const args = ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"];
  const bom = JSON.parse(run("npm", args, root)) as Bom;
  const wanted = new Set(productionPackages(root).map(({ name, version }) => `${name}@${version}`));
  const own = bom.metadata.component;
  const kept = (reference: string) => reference === own["bom-ref"] || wanted.has(reference);
  bom.components = bom.components.filter((component) => kept(component["bom-ref"]));
  bom.dependencies = bom.dependencies
    .filter(({ ref }) => kept(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(kept) }));
  const missing = [...wanted].filter((name) => !bom.components.some((component) => component["bom-ref"] === name));
  if (missing.length > 0) throw new Error(`npm sbom does not list ${missing.join(", ")}`);
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  Object.assign(own, { name: "plugboard", version });
  bom.metadata.timestamp = time.toISOString();
  bom.serialNumber = `urn:uuid:${uuidOf(JSON.stringify(bom.components))}`;
  return `${JSON.stringify(bom, null, 2)}\n`;
}

/** A UUID of version 8, which is made of a hash. */
function uuidOf(text: string): string {
  const digest = hash("sha256", text);
  return [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `8${digest.slice(13, 16)}`,
    `a${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ].join("-");
}
