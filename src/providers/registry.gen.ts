// Written by `npm run gen` from the folders beside this file. Do not edit.
import type { Provider } from "../contracts/provider.ts";
import asana from "./asana/manifest.ts";
import asanaTicketing from "./asana/ticketing.ts";
import attio from "./attio/manifest.ts";
import attioCrm from "./attio/crm.ts";
import bitbucket from "./bitbucket/manifest.ts";
import bitbucketGit from "./bitbucket/git.ts";
import clickup from "./clickup/manifest.ts";
import clickupTicketing from "./clickup/ticketing.ts";
import discord from "./discord/manifest.ts";
import discordChat from "./discord/chat.ts";
import gitea from "./gitea/manifest.ts";
import giteaGit from "./gitea/git.ts";
import github from "./github/manifest.ts";
import githubGit from "./github/git.ts";
import gitlab from "./gitlab/manifest.ts";
import gitlabGit from "./gitlab/git.ts";
import googleChat from "./google-chat/manifest.ts";
import googleChatChat from "./google-chat/chat.ts";
import hubspot from "./hubspot/manifest.ts";
import hubspotCrm from "./hubspot/crm.ts";
import jira from "./jira/manifest.ts";
import jiraTicketing from "./jira/ticketing.ts";
import linear from "./linear/manifest.ts";
import linearTicketing from "./linear/ticketing.ts";
import mattermost from "./mattermost/manifest.ts";
import mattermostChat from "./mattermost/chat.ts";
import pipedrive from "./pipedrive/manifest.ts";
import pipedriveCrm from "./pipedrive/crm.ts";
import salesforce from "./salesforce/manifest.ts";
import salesforceCrm from "./salesforce/crm.ts";
import slack from "./slack/manifest.ts";
import slackChat from "./slack/chat.ts";
import teams from "./teams/manifest.ts";
import teamsChat from "./teams/chat.ts";
import trello from "./trello/manifest.ts";
import trelloTicketing from "./trello/ticketing.ts";
import zendesk from "./zendesk/manifest.ts";
import zendeskTicketing from "./zendesk/ticketing.ts";
import zoho from "./zoho/manifest.ts";
import zohoCrm from "./zoho/crm.ts";

export const providers: readonly Provider[] = [
  { manifest: asana, categories: [asanaTicketing] },
  { manifest: attio, categories: [attioCrm] },
  { manifest: bitbucket, categories: [bitbucketGit] },
  { manifest: clickup, categories: [clickupTicketing] },
  { manifest: discord, categories: [discordChat] },
  { manifest: gitea, categories: [giteaGit] },
  { manifest: github, categories: [githubGit] },
  { manifest: gitlab, categories: [gitlabGit] },
  { manifest: googleChat, categories: [googleChatChat] },
  { manifest: hubspot, categories: [hubspotCrm] },
  { manifest: jira, categories: [jiraTicketing] },
  { manifest: linear, categories: [linearTicketing] },
  { manifest: mattermost, categories: [mattermostChat] },
  { manifest: pipedrive, categories: [pipedriveCrm] },
  { manifest: salesforce, categories: [salesforceCrm] },
  { manifest: slack, categories: [slackChat] },
  { manifest: teams, categories: [teamsChat] },
  { manifest: trello, categories: [trelloTicketing] },
  { manifest: zendesk, categories: [zendeskTicketing] },
  { manifest: zoho, categories: [zohoCrm] },
];
