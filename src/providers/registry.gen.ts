// Written by `npm run gen` from the folders beside this file. Do not edit.
import type { Provider } from "../contracts/provider.ts";
import asana from "./asana/manifest.ts";
import asanaTicketing from "./asana/ticketing.ts";
import clickup from "./clickup/manifest.ts";
import clickupTicketing from "./clickup/ticketing.ts";
import github from "./github/manifest.ts";
import githubGit from "./github/git.ts";
import hubspot from "./hubspot/manifest.ts";
import hubspotCrm from "./hubspot/crm.ts";
import jira from "./jira/manifest.ts";
import jiraTicketing from "./jira/ticketing.ts";
import linear from "./linear/manifest.ts";
import linearTicketing from "./linear/ticketing.ts";
import slack from "./slack/manifest.ts";
import slackChat from "./slack/chat.ts";
import trello from "./trello/manifest.ts";
import trelloTicketing from "./trello/ticketing.ts";
import zendesk from "./zendesk/manifest.ts";
import zendeskTicketing from "./zendesk/ticketing.ts";

export const providers: readonly Provider[] = [
  { manifest: asana, categories: [asanaTicketing] },
  { manifest: clickup, categories: [clickupTicketing] },
  { manifest: github, categories: [githubGit] },
  { manifest: hubspot, categories: [hubspotCrm] },
  { manifest: jira, categories: [jiraTicketing] },
  { manifest: linear, categories: [linearTicketing] },
  { manifest: slack, categories: [slackChat] },
  { manifest: trello, categories: [trelloTicketing] },
  { manifest: zendesk, categories: [zendeskTicketing] },
];
