// Written by `npm run gen` from the folders beside this file. Do not edit.
import type { Provider } from "../contracts/provider.ts";
import asanaManifest from "./asana/manifest.ts";
import asanaTicketing from "./asana/ticketing.ts";
import attioManifest from "./attio/manifest.ts";
import attioCrm from "./attio/crm.ts";
import bitbucketManifest from "./bitbucket/manifest.ts";
import bitbucketGit from "./bitbucket/git.ts";
import clickupManifest from "./clickup/manifest.ts";
import clickupTicketing from "./clickup/ticketing.ts";
import discordManifest from "./discord/manifest.ts";
import discordChat from "./discord/chat.ts";
import giteaManifest from "./gitea/manifest.ts";
import giteaGit from "./gitea/git.ts";
import githubManifest from "./github/manifest.ts";
import githubGit from "./github/git.ts";
import gitlabManifest from "./gitlab/manifest.ts";
import gitlabGit from "./gitlab/git.ts";
import googleChatManifest from "./google-chat/manifest.ts";
import googleChatChat from "./google-chat/chat.ts";
import hubspotManifest from "./hubspot/manifest.ts";
import hubspotCrm from "./hubspot/crm.ts";
import jiraManifest from "./jira/manifest.ts";
import jiraTicketing from "./jira/ticketing.ts";
import linearManifest from "./linear/manifest.ts";
import linearTicketing from "./linear/ticketing.ts";
import mattermostManifest from "./mattermost/manifest.ts";
import mattermostChat from "./mattermost/chat.ts";
import pipedriveManifest from "./pipedrive/manifest.ts";
import pipedriveCrm from "./pipedrive/crm.ts";
import salesforceManifest from "./salesforce/manifest.ts";
import salesforceCrm from "./salesforce/crm.ts";
import slackManifest from "./slack/manifest.ts";
import slackChat from "./slack/chat.ts";
import teamsManifest from "./teams/manifest.ts";
import teamsChat from "./teams/chat.ts";
import trelloManifest from "./trello/manifest.ts";
import trelloTicketing from "./trello/ticketing.ts";
import zendeskManifest from "./zendesk/manifest.ts";
import zendeskTicketing from "./zendesk/ticketing.ts";
import zohoManifest from "./zoho/manifest.ts";
import zohoCrm from "./zoho/crm.ts";

export const providers: readonly Provider[] = [
  { manifest: asanaManifest, categories: [asanaTicketing] },
  { manifest: attioManifest, categories: [attioCrm] },
  { manifest: bitbucketManifest, categories: [bitbucketGit] },
  { manifest: clickupManifest, categories: [clickupTicketing] },
  { manifest: discordManifest, categories: [discordChat] },
  { manifest: giteaManifest, categories: [giteaGit] },
  { manifest: githubManifest, categories: [githubGit] },
  { manifest: gitlabManifest, categories: [gitlabGit] },
  { manifest: googleChatManifest, categories: [googleChatChat] },
  { manifest: hubspotManifest, categories: [hubspotCrm] },
  { manifest: jiraManifest, categories: [jiraTicketing] },
  { manifest: linearManifest, categories: [linearTicketing] },
  { manifest: mattermostManifest, categories: [mattermostChat] },
  { manifest: pipedriveManifest, categories: [pipedriveCrm] },
  { manifest: salesforceManifest, categories: [salesforceCrm] },
  { manifest: slackManifest, categories: [slackChat] },
  { manifest: teamsManifest, categories: [teamsChat] },
  { manifest: trelloManifest, categories: [trelloTicketing] },
  { manifest: zendeskManifest, categories: [zendeskTicketing] },
  { manifest: zohoManifest, categories: [zohoCrm] },
];
