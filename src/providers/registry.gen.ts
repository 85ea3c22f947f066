// Written by `npm run gen` from the folders beside this file. Do not edit.
import type { Provider } from "../contracts/provider.ts";
import { filledFields } from "./fields.gen.ts";
import asanaManifest from "./asana/manifest.ts";
import asanaIdentity from "./asana/identity.ts";
import asanaTicketing from "./asana/ticketing.ts";
import asanaTasks from "./asana/tasks.ts";
import attioManifest from "./attio/manifest.ts";
import attioIdentity from "./attio/identity.ts";
import attioCrm from "./attio/crm.ts";
import bitbucketManifest from "./bitbucket/manifest.ts";
import bitbucketIdentity from "./bitbucket/identity.ts";
import bitbucketGit from "./bitbucket/git.ts";
import boxManifest from "./box/manifest.ts";
import boxIdentity from "./box/identity.ts";
import boxDrive from "./box/drive.ts";
import clickupManifest from "./clickup/manifest.ts";
import clickupIdentity from "./clickup/identity.ts";
import clickupTicketing from "./clickup/ticketing.ts";
import clickupTasks from "./clickup/tasks.ts";
import discordManifest from "./discord/manifest.ts";
import discordIdentity from "./discord/identity.ts";
import discordChat from "./discord/chat.ts";
import dropboxManifest from "./dropbox/manifest.ts";
import dropboxIdentity from "./dropbox/identity.ts";
import dropboxDrive from "./dropbox/drive.ts";
import freshdeskManifest from "./freshdesk/manifest.ts";
import freshdeskIdentity from "./freshdesk/identity.ts";
import freshdeskTicketing from "./freshdesk/ticketing.ts";
import freshdeskHelpdesk from "./freshdesk/helpdesk.ts";
import frontManifest from "./front/manifest.ts";
import frontIdentity from "./front/identity.ts";
import frontTicketing from "./front/ticketing.ts";
import frontHelpdesk from "./front/helpdesk.ts";
import giteaManifest from "./gitea/manifest.ts";
import giteaIdentity from "./gitea/identity.ts";
import giteaGit from "./gitea/git.ts";
import githubManifest from "./github/manifest.ts";
import githubIdentity from "./github/identity.ts";
import githubGit from "./github/git.ts";
import gitlabManifest from "./gitlab/manifest.ts";
import gitlabIdentity from "./gitlab/identity.ts";
import gitlabGit from "./gitlab/git.ts";
import googleCalendarManifest from "./google-calendar/manifest.ts";
import googleCalendarIdentity from "./google-calendar/identity.ts";
import googleCalendarCalendar from "./google-calendar/calendar.ts";
import googleChatManifest from "./google-chat/manifest.ts";
import googleChatIdentity from "./google-chat/identity.ts";
import googleChatChat from "./google-chat/chat.ts";
import googleDriveManifest from "./google-drive/manifest.ts";
import googleDriveIdentity from "./google-drive/identity.ts";
import googleDriveDrive from "./google-drive/drive.ts";
import helpScoutManifest from "./help-scout/manifest.ts";
import helpScoutIdentity from "./help-scout/identity.ts";
import helpScoutTicketing from "./help-scout/ticketing.ts";
import helpScoutHelpdesk from "./help-scout/helpdesk.ts";
import hubspotManifest from "./hubspot/manifest.ts";
import hubspotIdentity from "./hubspot/identity.ts";
import hubspotCrm from "./hubspot/crm.ts";
import intercomManifest from "./intercom/manifest.ts";
import intercomIdentity from "./intercom/identity.ts";
import intercomTicketing from "./intercom/ticketing.ts";
import intercomHelpdesk from "./intercom/helpdesk.ts";
import jiraManifest from "./jira/manifest.ts";
import jiraIdentity from "./jira/identity.ts";
import jiraTicketing from "./jira/ticketing.ts";
import jiraTasks from "./jira/tasks.ts";
import linearManifest from "./linear/manifest.ts";
import linearIdentity from "./linear/identity.ts";
import linearTicketing from "./linear/ticketing.ts";
import linearTasks from "./linear/tasks.ts";
import mattermostManifest from "./mattermost/manifest.ts";
import mattermostIdentity from "./mattermost/identity.ts";
import mattermostChat from "./mattermost/chat.ts";
import mcpManifest from "./mcp/manifest.ts";
import mondayManifest from "./monday/manifest.ts";
import mondayIdentity from "./monday/identity.ts";
import mondayTicketing from "./monday/ticketing.ts";
import mondayTasks from "./monday/tasks.ts";
import notionManifest from "./notion/manifest.ts";
import notionIdentity from "./notion/identity.ts";
import notionTicketing from "./notion/ticketing.ts";
import notionTasks from "./notion/tasks.ts";
import onedriveManifest from "./onedrive/manifest.ts";
import onedriveIdentity from "./onedrive/identity.ts";
import onedriveDrive from "./onedrive/drive.ts";
import outlookCalendarManifest from "./outlook-calendar/manifest.ts";
import outlookCalendarIdentity from "./outlook-calendar/identity.ts";
import outlookCalendarCalendar from "./outlook-calendar/calendar.ts";
import pipedriveManifest from "./pipedrive/manifest.ts";
import pipedriveIdentity from "./pipedrive/identity.ts";
import pipedriveCrm from "./pipedrive/crm.ts";
import salesforceManifest from "./salesforce/manifest.ts";
import salesforceIdentity from "./salesforce/identity.ts";
import salesforceCrm from "./salesforce/crm.ts";
import shortcutManifest from "./shortcut/manifest.ts";
import shortcutIdentity from "./shortcut/identity.ts";
import shortcutTicketing from "./shortcut/ticketing.ts";
import shortcutTasks from "./shortcut/tasks.ts";
import slackManifest from "./slack/manifest.ts";
import slackIdentity from "./slack/identity.ts";
import slackChat from "./slack/chat.ts";
import teamsManifest from "./teams/manifest.ts";
import teamsIdentity from "./teams/identity.ts";
import teamsChat from "./teams/chat.ts";
import trelloManifest from "./trello/manifest.ts";
import trelloIdentity from "./trello/identity.ts";
import trelloTicketing from "./trello/ticketing.ts";
import trelloTasks from "./trello/tasks.ts";
import zendeskManifest from "./zendesk/manifest.ts";
import zendeskIdentity from "./zendesk/identity.ts";
import zendeskTicketing from "./zendesk/ticketing.ts";
import zendeskHelpdesk from "./zendesk/helpdesk.ts";
import zohoManifest from "./zoho/manifest.ts";
import zohoIdentity from "./zoho/identity.ts";
import zohoCrm from "./zoho/crm.ts";

export const providers: readonly Provider[] = [
  { manifest: asanaManifest, categories: [asanaIdentity, asanaTicketing, asanaTasks], fields: filledFields["asana"] ?? {} },
  { manifest: attioManifest, categories: [attioIdentity, attioCrm], fields: filledFields["attio"] ?? {} },
  { manifest: bitbucketManifest, categories: [bitbucketIdentity, bitbucketGit], fields: filledFields["bitbucket"] ?? {} },
  { manifest: boxManifest, categories: [boxIdentity, boxDrive], fields: filledFields["box"] ?? {} },
  { manifest: clickupManifest, categories: [clickupIdentity, clickupTicketing, clickupTasks], fields: filledFields["clickup"] ?? {} },
  { manifest: discordManifest, categories: [discordIdentity, discordChat], fields: filledFields["discord"] ?? {} },
  { manifest: dropboxManifest, categories: [dropboxIdentity, dropboxDrive], fields: filledFields["dropbox"] ?? {} },
  { manifest: freshdeskManifest, categories: [freshdeskIdentity, freshdeskTicketing, freshdeskHelpdesk], fields: filledFields["freshdesk"] ?? {} },
  { manifest: frontManifest, categories: [frontIdentity, frontTicketing, frontHelpdesk], fields: filledFields["front"] ?? {} },
  { manifest: giteaManifest, categories: [giteaIdentity, giteaGit], fields: filledFields["gitea"] ?? {} },
  { manifest: githubManifest, categories: [githubIdentity, githubGit], fields: filledFields["github"] ?? {} },
  { manifest: gitlabManifest, categories: [gitlabIdentity, gitlabGit], fields: filledFields["gitlab"] ?? {} },
  { manifest: googleCalendarManifest, categories: [googleCalendarIdentity, googleCalendarCalendar], fields: filledFields["google-calendar"] ?? {} },
  { manifest: googleChatManifest, categories: [googleChatIdentity, googleChatChat], fields: filledFields["google-chat"] ?? {} },
  { manifest: googleDriveManifest, categories: [googleDriveIdentity, googleDriveDrive], fields: filledFields["google-drive"] ?? {} },
  { manifest: helpScoutManifest, categories: [helpScoutIdentity, helpScoutTicketing, helpScoutHelpdesk], fields: filledFields["help-scout"] ?? {} },
  { manifest: hubspotManifest, categories: [hubspotIdentity, hubspotCrm], fields: filledFields["hubspot"] ?? {} },
  { manifest: intercomManifest, categories: [intercomIdentity, intercomTicketing, intercomHelpdesk], fields: filledFields["intercom"] ?? {} },
  { manifest: jiraManifest, categories: [jiraIdentity, jiraTicketing, jiraTasks], fields: filledFields["jira"] ?? {} },
  { manifest: linearManifest, categories: [linearIdentity, linearTicketing, linearTasks], fields: filledFields["linear"] ?? {} },
  { manifest: mattermostManifest, categories: [mattermostIdentity, mattermostChat], fields: filledFields["mattermost"] ?? {} },
  { manifest: mcpManifest, categories: [], fields: filledFields["mcp"] ?? {} },
  { manifest: mondayManifest, categories: [mondayIdentity, mondayTicketing, mondayTasks], fields: filledFields["monday"] ?? {} },
  { manifest: notionManifest, categories: [notionIdentity, notionTicketing, notionTasks], fields: filledFields["notion"] ?? {} },
  { manifest: onedriveManifest, categories: [onedriveIdentity, onedriveDrive], fields: filledFields["onedrive"] ?? {} },
  { manifest: outlookCalendarManifest, categories: [outlookCalendarIdentity, outlookCalendarCalendar], fields: filledFields["outlook-calendar"] ?? {} },
  { manifest: pipedriveManifest, categories: [pipedriveIdentity, pipedriveCrm], fields: filledFields["pipedrive"] ?? {} },
  { manifest: salesforceManifest, categories: [salesforceIdentity, salesforceCrm], fields: filledFields["salesforce"] ?? {} },
  { manifest: shortcutManifest, categories: [shortcutIdentity, shortcutTicketing, shortcutTasks], fields: filledFields["shortcut"] ?? {} },
  { manifest: slackManifest, categories: [slackIdentity, slackChat], fields: filledFields["slack"] ?? {} },
  { manifest: teamsManifest, categories: [teamsIdentity, teamsChat], fields: filledFields["teams"] ?? {} },
  { manifest: trelloManifest, categories: [trelloIdentity, trelloTicketing, trelloTasks], fields: filledFields["trello"] ?? {} },
  { manifest: zendeskManifest, categories: [zendeskIdentity, zendeskTicketing, zendeskHelpdesk], fields: filledFields["zendesk"] ?? {} },
  { manifest: zohoManifest, categories: [zohoIdentity, zohoCrm], fields: filledFields["zoho"] ?? {} },
];
