// Written by `npm run gen` from the folders beside this file. Do not edit.
import type { Provider } from "../contracts/provider.ts";
import discord from "./discord/manifest.ts";
import discordChat from "./discord/chat.ts";
import github from "./github/manifest.ts";
import githubGit from "./github/git.ts";
import googleChat from "./google-chat/manifest.ts";
import googleChatChat from "./google-chat/chat.ts";
import hubspot from "./hubspot/manifest.ts";
import hubspotCrm from "./hubspot/crm.ts";
import linear from "./linear/manifest.ts";
import linearTicketing from "./linear/ticketing.ts";
import mattermost from "./mattermost/manifest.ts";
import mattermostChat from "./mattermost/chat.ts";
import slack from "./slack/manifest.ts";
import slackChat from "./slack/chat.ts";
import teams from "./teams/manifest.ts";
import teamsChat from "./teams/chat.ts";

export const providers: readonly Provider[] = [
  { manifest: discord, categories: [discordChat] },
  { manifest: github, categories: [githubGit] },
  { manifest: googleChat, categories: [googleChatChat] },
  { manifest: hubspot, categories: [hubspotCrm] },
  { manifest: linear, categories: [linearTicketing] },
  { manifest: mattermost, categories: [mattermostChat] },
  { manifest: slack, categories: [slackChat] },
  { manifest: teams, categories: [teamsChat] },
];
