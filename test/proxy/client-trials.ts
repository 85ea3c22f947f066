// What each official client is tried with: it lists something to its end, reads one record, writes one, and understands
// an error.
import { Readable } from "node:stream";
import { expect } from "vitest";
import { requestsDuring } from "../support/sandbox.ts";
import type { TestService } from "../support/service.ts";

/** All records of a list of the Unified API, to compare with. */
async function unified(service: TestService, provider: string, path: string): Promise<any[]> {
  const records: any[] = [];
  for (let after = ""; ; ) {
    const response = await fetch(`${service.url}/unified/v1${path}?limit=100${after && `&after=${after}`}`, {
      headers: { authorization: `Bearer ${service.apiKey}`, "SVC-Connection-ID": service.connections[provider]! },
    });
    const { data, metadata } = ((await response.json()) as any).response;
    records.push(...data);
    if (metadata.next === null) return records;
    after = metadata.next;
  }
}

/** More records than two pages have, each once. */
function expectWhole(ids: unknown[], minimum = 250): void {
  expect(ids.length).toBeGreaterThan(minimum);
  expect(new Set(ids).size).toBe(ids.length);
}

/** No text in any encoding. */
const BYTES = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));

interface Trial {
  provider: string;
  load(): Promise<unknown>;
  run(client: any, service: TestService): Promise<void>;
}

export const trials: Record<string, Trial> = {
  "@discordjs/rest": {
    provider: "discord",
    load: () => import("@discordjs/rest"),
    async run(discord, service) {
      const guild = (await service.store.connections.load(service.connections.discord!))!.connection.settings.guild_id;
      const channels = await discord.get(`/guilds/${guild}/channels`);
      expectWhole(channels.map(({ id }: any) => id));
      const { id } = channels.find(({ type }: any) => type === 0);
      const sent = await discord.post(`/channels/${id}/messages`, { body: { content: "Grüße 👋" } });
      const [newest] = await discord.get(`/channels/${id}/messages`, { query: new URLSearchParams({ limit: "1" }) });
      expect([newest.id, newest.content]).toEqual([sent.id, "Grüße 👋"]);
      await expect(discord.get("/channels/1")).rejects.toMatchObject({ status: 404, rawError: { code: 0 } });
    },
  },

  dropbox: {
    provider: "dropbox",
    load: () => import("dropbox"),
    async run(dropbox, service) {
      let { result } = await dropbox.filesListFolder({ path: "", recursive: true, limit: 100 });
      const paths = result.entries.map(({ path_lower }: any) => path_lower);
      while (result.has_more) {
        ({ result } = await dropbox.filesListFolderContinue({ cursor: result.cursor }));
        paths.push(...result.entries.map(({ path_lower }: any) => path_lower));
      }
      expectWhole(paths);
      const seen = await requestsDuring(service, "dropbox", async () => {
        await dropbox.filesUpload({ path: "/Grüße.bin", contents: BYTES });
        const { result: file } = await dropbox.filesDownload({ path: "/grüße.bin" });
        expect([file.name, Buffer.from(file.fileBinary)]).toEqual(["Grüße.bin", BYTES]);
      });
      expect(seen.map(({ path }) => path)).toEqual(["/2/files/upload", "/2/files/download"]);
      await expect(dropbox.filesGetMetadata({ path: "/nothing" })).rejects.toMatchObject({
        status: 409,
        error: { error_summary: expect.stringMatching(/^path\/not_found/) },
      });
    },
  },

  "gitea-js": {
    provider: "gitea",
    load: () => import("gitea-js"),
    async run(gitea, service) {
      const repositories: any[] = [];
      for (let page = 1; ; page++) {
        const { data } = await gitea.user.userCurrentListRepos({ page, limit: 50 });
        repositories.push(...data);
        if (data.length === 0) break;
      }
      expect(repositories.map(({ full_name }) => full_name)).toEqual(
        (await unified(service, "gitea", "/git/repos")).map(({ full_name }) => full_name),
      );
      const [{ owner, name }] = repositories;
      expect((await gitea.repos.repoGet(owner.login, name)).data.name).toBe(name);
      const { data: issue } = await gitea.repos.issueCreateIssue(owner.login, name, { title: "Grüße" });
      expect(issue).toMatchObject({ title: "Grüße", state: "open" });
      await expect(gitea.repos.repoGet("nobody", "nothing")).rejects.toMatchObject({ status: 404 });
    },
  },

  "@octokit/rest": {
    provider: "github",
    load: () => import("@octokit/rest"),
    async run(octokit, service) {
      const { headers, status } = await octokit.rest.users.getAuthenticated();
      expect([status, headers["x-ratelimit-limit"]]).toEqual([200, "5000"]);
      let names: string[] = [];
      const seen = await requestsDuring(service, "github", async () => {
        const repositories = await octokit.paginate(octokit.rest.repos.listForAuthenticatedUser, { per_page: 100 });
        names = repositories.map(({ full_name }: any) => full_name);
      });
      expectWhole(names);
      expect(names).toEqual((await unified(service, "github", "/git/repos")).map(({ full_name }) => full_name));
      expect(seen).toHaveLength(Math.ceil(names.length / 100));
      // Always the connection's token, of which the recorder shows the end, and never the client's credential.
      const { connection } = (await service.store.connections.load(service.connections.github!))!;
      const shown = `Bearer ***${connection.credentials.token!.slice(-4)}`;
      expect([...new Set(seen.map((request) => request.headers.authorization))]).toEqual([shown]);
      const [owner, repo] = names[0]!.split("/") as [string, string];
      // Both ways of an upload, neither of which may leave for GitHub's own host.
      const { data: releases } = await octokit.rest.repos.listReleases({ owner, repo, per_page: 1 });
      const [{ id: release_id, upload_url }] = releases;
      expect(upload_url.startsWith(`${service.url}/proxy/@uploads/`)).toBe(true);
      const data = Buffer.from([0, 127, 128, 255]);
      const named = await octokit.rest.repos.uploadReleaseAsset({ owner, repo, release_id, name: "a.bin", data });
      const linked = await octokit.request({
        method: "POST",
        url: upload_url,
        name: "b.bin",
        data,
        headers: { "content-type": "application/octet-stream" },
      });
      for (const { data: asset } of [named, linked]) {
        const headers = { accept: "application/octet-stream" };
        const { data: bytes } = await octokit.request({ method: "GET", url: asset.url, headers });
        expect(Buffer.from(bytes)).toEqual(data);
      }
      const { data: made } = await octokit.rest.issues.create({ owner, repo, title: "Grüße" });
      expect(made).toMatchObject({ title: "Grüße", state: "open" });
      await expect(octokit.rest.repos.get({ owner: "nobody", repo: "nothing" })).rejects.toMatchObject({
        status: 404,
        response: { data: { message: "Not Found", documentation_url: expect.any(String) } },
      });
    },
  },

  "@gitbeaker/rest": {
    provider: "gitlab",
    load: () => import("@gitbeaker/rest"),
    async run(gitlab, service) {
      const projects = await gitlab.Projects.all({ membership: true, perPage: 100 });
      expect(projects.map(({ path_with_namespace }: any) => path_with_namespace)).toEqual(
        (await unified(service, "gitlab", "/git/repos")).map(({ full_name }) => full_name),
      );
      expectWhole(projects.map(({ id }: any) => id));
      // By its path, whose slash is encoded.
      const { id, path_with_namespace } = projects[0];
      expect((await gitlab.Projects.show(path_with_namespace)).id).toBe(id);
      const issue = await gitlab.Issues.create(id, "Grüße");
      expect(issue).toMatchObject({ project_id: id, title: "Grüße" });
      await expect(gitlab.Projects.show("no/thing")).rejects.toMatchObject({
        cause: { description: "404 Project Not Found", response: { status: 404 } },
      });
    },
  },

  "@googleapis/calendar": {
    provider: "google-calendar",
    load: () => import("@googleapis/calendar"),
    async run({ calendarList, events }) {
      const { data: list } = await calendarList.list();
      expect(list.items.length).toBeGreaterThan(1);
      const calendarId = list.items[0].id;
      const ids: string[] = [];
      for (let pageToken: string | undefined; ; ) {
        const { data } = await events.list({ calendarId, maxResults: 50, pageToken });
        ids.push(...data.items.map(({ id }: any) => id));
        pageToken = data.nextPageToken;
        if (!pageToken) break;
      }
      expectWhole(ids, 150);
      const time = { dateTime: "2026-03-01T10:00:00Z" };
      const { data: made } = await events.insert({
        calendarId,
        requestBody: { summary: "Grüße", start: time, end: time },
      });
      const { data: read } = await events.get({ calendarId, eventId: made.id });
      expect(read.summary).toBe("Grüße");
      await expect(events.get({ calendarId, eventId: "nothing" })).rejects.toMatchObject({
        status: 404,
        message: "Not Found",
      });
    },
  },

  "@googleapis/drive": {
    provider: "google-drive",
    load: () => import("@googleapis/drive"),
    async run({ files }, service) {
      const ids: string[] = [];
      for (let pageToken: string | undefined; ; ) {
        const { data } = await files.list({ pageSize: 100, pageToken });
        ids.push(...data.files.map(({ id }: any) => id));
        pageToken = data.nextPageToken;
        if (!pageToken) break;
      }
      expectWhole(ids);
      const seen = await requestsDuring(service, "google-drive", async () => {
        const media = { mimeType: "application/x-bytes", body: Readable.from([BYTES]) };
        const { data: made } = await files.create({ requestBody: { name: "Grüße.bin" }, media });
        const { data: read } = await files.get({ fileId: made.id, fields: "name,mimeType" });
        expect(read).toEqual({ name: "Grüße.bin", mimeType: "application/x-bytes" });
        const { data: content } = await files.get({ fileId: made.id, alt: "media" }, { responseType: "arraybuffer" });
        expect(Buffer.from(content)).toEqual(BYTES);
      });
      // On another address of the same host.
      expect(seen[0]!.path).toMatch(/^\/upload\/drive\/v3\/files\?/);
      await expect(files.get({ fileId: "nothing" })).rejects.toMatchObject({
        status: 404,
        message: "File not found: nothing.",
      });
    },
  },

  "@hubspot/api-client": {
    provider: "hubspot",
    load: () => import("@hubspot/api-client"),
    async run({ crm: { contacts } }) {
      const all = await contacts.getAll();
      expectWhole(all.map(({ id }: any) => id));
      const made = await contacts.basicApi.create({ properties: { email: "new@example.com" }, associations: [] });
      expect((await contacts.basicApi.getById(made.id, ["email"])).properties.email).toBe("new@example.com");
      await expect(contacts.basicApi.getById("999999999")).rejects.toMatchObject({
        code: 404,
        body: { category: "OBJECT_NOT_FOUND" },
      });
    },
  },

  "@mattermost/client": {
    provider: "mattermost",
    load: () => import("@mattermost/client"),
    async run(mattermost) {
      const { id } = await mattermost.getMe();
      const users = [...(await mattermost.getProfiles(0, 200)), ...(await mattermost.getProfiles(1, 200))];
      expectWhole(users.map((user) => user.id));
      const [channel] = await mattermost.getAllTeamsChannels();
      const made = await mattermost.createPost({ channel_id: channel.id, message: "Grüße 👋" });
      const { posts } = await mattermost.getPosts(channel.id);
      expect(posts[made.id]).toMatchObject({ user_id: id, message: "Grüße 👋" });
      await expect(mattermost.getPost("nothing")).rejects.toMatchObject({
        status_code: 404,
        server_error_id: "app.post.get.app_error",
      });
    },
  },

  "@microsoft/microsoft-graph-client": {
    provider: "outlook-calendar",
    load: () => import("@microsoft/microsoft-graph-client"),
    async run(graph, service) {
      const calendar = await graph.api("/me/calendar").get();
      const view = `/me/calendars/${calendar.id}/calendarView`;
      const years = { startDateTime: "2024-01-01T00:00:00Z", endDateTime: "2028-12-01T00:00:00Z" };
      const ids: string[] = [];
      for (let page = await graph.api(view).query(years).orderby("start/dateTime").top(100).get(); ; ) {
        ids.push(...page.value.map(({ id }: any) => id));
        const next = page["@odata.nextLink"];
        if (!next) break;
        expect(next.startsWith(`${service.url}/proxy/v1.0/`)).toBe(true);
        page = await graph.api(next.slice(`${service.url}/proxy/v1.0`.length)).get();
      }
      expectWhole(ids);
      const time = { dateTime: "2026-03-01T10:00:00", timeZone: "UTC" };
      const made = await graph
        .api(`/me/calendars/${calendar.id}/events`)
        .post({ subject: "Grüße", start: time, end: time });
      expect(made).toMatchObject({ id: expect.any(String), subject: "Grüße" });
      await expect(graph.api("/me/nothing").get()).rejects.toMatchObject({ statusCode: 404, code: expect.any(String) });
    },
  },

  "@notionhq/client": {
    provider: "notion",
    load: () => import("@notionhq/client"),
    async run(notion) {
      const { iteratePaginatedAPI } = await import("@notionhq/client");
      const found: any[] = [];
      for await (const one of iteratePaginatedAPI(notion.search, {})) found.push(one);
      expectWhole(found.map(({ id }) => id));
      const { id } = found.find(({ object }) => object === "page");
      expect(await notion.pages.retrieve({ page_id: id })).toMatchObject({ object: "page", id });
      const comment = await notion.comments.create({
        parent: { page_id: id },
        rich_text: [{ type: "text", text: { content: "Grüße" } }],
      });
      expect(comment).toMatchObject({ object: "comment" });
      const missing = "00000000-0000-0000-0000-000000000000";
      await expect(notion.pages.retrieve({ page_id: missing })).rejects.toMatchObject({
        status: 404,
        code: "object_not_found",
      });
    },
  },

  "@jsforce/jsforce-node": {
    provider: "salesforce",
    load: () => import("@jsforce/jsforce-node"),
    async run(salesforce) {
      const options = { autoFetch: true, maxFetch: 1000, headers: { "Sforce-Query-Options": "batchSize=200" } };
      const { records } = await salesforce.query("SELECT Id, Name FROM Contact", options);
      expectWhole(records.map(({ Id }: any) => Id));
      const contacts = salesforce.sobject("Contact");
      const { id, success } = await contacts.create({ LastName: "Grüße" });
      expect(success).toBe(true);
      expect((await contacts.retrieve(id)).LastName).toBe("Grüße");
      await expect(contacts.retrieve("003000000000000AAA")).rejects.toMatchObject({ errorCode: "NOT_FOUND" });
    },
  },

  "@slack/web-api": {
    provider: "slack",
    load: () => import("@slack/web-api"),
    async run(slack, service) {
      const names: string[] = [];
      const options = { limit: 100, types: "public_channel,private_channel" };
      for await (const page of slack.paginate("conversations.list", options))
        names.push(...page.channels.map(({ name }: any) => name));
      expectWhole(names);
      const known = (await unified(service, "slack", "/chat/channels")).map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(known));
      const { WebClient } = await import("@slack/web-api");
      const headers = { "SVC-Connection-ID": service.connections.slack! };
      const byHeader = new WebClient(service.apiKey, { slackApiUrl: `${service.url}/proxy/`, headers });
      for (const client of [slack, byHeader]) {
        const { channels } = await client.conversations.list({ limit: 1 });
        const sent = await client.chat.postMessage({ channel: channels[0].id, text: "Grüße 👋 & <more>" });
        expect(sent).toMatchObject({ ok: true, channel: channels[0].id, ts: expect.any(String) });
      }
      await expect(slack.conversations.history({ channel: "C0NOTHERE0" })).rejects.toMatchObject({
        data: { ok: false, error: "channel_not_found" },
      });
    },
  },

  "node-zendesk": {
    provider: "zendesk",
    load: () => import("node-zendesk"),
    async run({ tickets }) {
      const all = await tickets.list();
      expectWhole(all.map(({ id }: any) => id));
      const { result: made } = await tickets.create({ ticket: { subject: "Grüße", comment: { body: "Hello" } } });
      expect((await tickets.show(made.id)).result.subject).toBe("Grüße");
      await expect(tickets.show(999_999_999)).rejects.toThrow("Zendesk Error (404): Item not found");
    },
  },
};
