import { spawnSync } from "node:child_process";
import { run } from "./run.ts";

const PLATFORMS = "linux/amd64,linux/arm64";

/** Builds the image for both architectures into a file in OCI format. Returns why it cannot. */
export function buildImage(context: string, file: string): string | undefined {
  if (spawnSync("docker", ["info"], { stdio: "ignore" }).status !== 0) return "no container engine is available";
  run("docker", ["buildx", "build", "--platform", PLATFORMS, "--output", `type=oci,dest=${file}`, "."], context);
  return undefined;
}
