import type { rolldown } from "rolldown";

interface BundleOptions {
  input: Record<string, string>;
  folder: string;
  base: string;
  sourcemap: boolean;
}

export function writeBundle(bundler: typeof rolldown, options: BundleOptions): Promise<void>;
