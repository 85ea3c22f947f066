// Written by `npm run gen` from the folders beside this file. Do not edit.
import type { Provider } from "../contracts/provider.ts";
import bitbucket from "./bitbucket/manifest.ts";
import bitbucketGit from "./bitbucket/git.ts";
import gitea from "./gitea/manifest.ts";
import giteaGit from "./gitea/git.ts";
import github from "./github/manifest.ts";
import githubGit from "./github/git.ts";
import gitlab from "./gitlab/manifest.ts";
import gitlabGit from "./gitlab/git.ts";
import hubspot from "./hubspot/manifest.ts";
import hubspotCrm from "./hubspot/crm.ts";
import linear from "./linear/manifest.ts";
import linearTicketing from "./linear/ticketing.ts";
import slack from "./slack/manifest.ts";
import slackChat from "./slack/chat.ts";

export const providers: readonly Provider[] = [
  { manifest: bitbucket, categories: [bitbucketGit] },
  { manifest: gitea, categories: [giteaGit] },
  { manifest: github, categories: [githubGit] },
  { manifest: gitlab, categories: [gitlabGit] },
  { manifest: hubspot, categories: [hubspotCrm] },
  { manifest: linear, categories: [linearTicketing] },
  { manifest: slack, categories: [slackChat] },
];
