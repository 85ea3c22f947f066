// Written by `npm run gen` from the folders beside this file. Do not edit.
import type { Provider } from "../contracts/provider.ts";
import github from "./github/manifest.ts";
import githubGit from "./github/git.ts";

export const providers: readonly Provider[] = [
  { manifest: github, categories: [githubGit] },
];
