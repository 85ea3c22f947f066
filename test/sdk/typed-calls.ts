// What the type checker has to accept and to refuse: by `npm run check`, and against the installed package in a test.
import {
  type Answer,
  type ConnectionClient,
  type Contact,
  type DryRun,
  type Issue,
  type List,
  type NewTask,
  type OfferedField,
  type Page,
  Plugboard,
  ProviderError,
  type RateLimit,
  type Result,
  type Task,
  verifyWebhook,
} from "../../sdk/src/index.ts";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(..._: Same<A, B> extends true ? [] : ["the types differ"]) => {};

export async function results(pb: Plugboard): Promise<void> {
  const connection = pb.connection("conn_1");
  same<typeof connection, ConnectionClient>();

  const issues = connection.git.issues.list("acme/rocket", { updated_since: "2026-01-01T00:00:00Z" });
  same<typeof issues, List<Issue>>();
  const page = await issues;
  same<typeof page, Page<Issue>>();
  for await (const issue of issues) same<typeof issue, Issue>();

  const task = await connection.tasks.create({ title: "A", labels: ["b"] });
  same<typeof task, Task>();
  same<Task["status_category"], "todo" | "in_progress" | "done">();
  same<Task["assignee"], { id: string | null; name: string | null } | null>();
  same<Task["due_at"], string | null>();
  const contact = await connection.crm.contacts.update("1", { email: "zoe@example.com" });
  same<typeof contact, Contact>();

  const tiers = connection.crm.contacts.list<{ tier: string | null }>({ fields: "id,custom.tier" });
  for await (const { custom } of tiers) same<typeof custom, { tier: string | null }>();
  const offered = await connection.crm.contacts.fields();
  same<typeof offered, OfferedField[]>();

  // The number of an issue is a number in records, and may be sent as one.
  await connection.git.comments.list("acme/rocket", page.data[0]?.number ?? 1);
  await connection.calendar.events.list({
    starts_after: "2026-01-01T00:00:00Z",
    starts_before: "2026-02-01T00:00:00Z",
  });

  const file = await connection.drive.download("1");
  same<typeof file.size, number | null>();
  const reader = file.getReader();
  const { value } = await reader.read();
  same<typeof value, Uint8Array | undefined>();

  const response = await connection.proxy("/user", { method: "GET" });
  same<typeof response, Response>();
  const user = await connection.proxy.json<{ login: string }>("/user", { query: { page: 2 } });
  same<typeof user.login, string>();

  const call = connection.tasks.get("1");
  same<typeof call, Result<Task>>();
  const answer = await call.withResponse();
  same<typeof answer, Answer<Task>>();
  same<typeof answer.response.requestId, string | undefined>();
  const listed = await issues.withResponse();
  same<typeof listed.data, Page<Issue>>();
  for await (const one of issues.pages()) same<typeof one.response.rateLimit, RateLimit | undefined>();

  const planned = await connection.dryRun.git.issues.create("acme/rocket", { title: "A" });
  same<typeof planned, DryRun>();
  same<(typeof planned.requests)[number]["body"], unknown>();

  for await (const one of connection.tasks.list({}, { stream: true })) same<typeof one, Task>();
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield new Uint8Array([1]);
  }
  await connection.drive.upload(bytes(), { name: "a" }, { size: 1 });
  await connection.drive.upload(file, { name: "a copy" });
  await connection.drive.upload(await fetch("https://files.example/a"), { name: "a" });

  for await (const one of pb.platform.connections.list({ external_id: "user_1" })) same<typeof one.is_valid, boolean>();
  await pb.platform.integrations.create({ identifier: "github", type: "oauth2", client_id: null });

  const event = await verifyWebhook("{}", { "webhook-id": "1" }, "whsec_");
  if (event.type === "git.issue.updated") same<typeof event.data.record, Issue>();
  if (event.type === "git.issue.deleted") same<typeof event.data.record, Partial<Issue>>();
  if (event.type === "connection.invalid") same<typeof event.data.invalid_reason, string | null>();
}

/** Input is strict: each of these is a mistake that the type checker has to find. */
export async function mistakes(pb: Plugboard): Promise<void> {
  const connection = pb.connection("conn_1");
  // @ts-expect-error a title is required
  await connection.tasks.create({ description: "A" });
  // @ts-expect-error there is no such field
  await connection.tasks.create({ title: "A", titel: "B" });
  // @ts-expect-error a title is text
  await connection.tasks.create({ title: 5 });
  // @ts-expect-error a field that is sent is not null
  await connection.tasks.update("1", { description: null });
  // @ts-expect-error a change changes something
  await connection.tasks.update("1", {});
  // @ts-expect-error the repository is missing
  await connection.git.issues.create({ title: "A" });
  // @ts-expect-error the window is required
  await connection.calendar.events.list();
  // @ts-expect-error the list of users cannot be filtered by time
  await connection.chat.users.list({ updated_since: "2026-01-01T00:00:00Z" });
  // @ts-expect-error an ID is text
  await connection.tasks.get(1);
  // @ts-expect-error an upload has a name
  await connection.drive.upload("content", {});
  // @ts-expect-error a form is no content
  await connection.drive.upload(new FormData(), { name: "a" });
  // @ts-expect-error there is no such option
  await connection.me({ retries: 1 });
  // @ts-expect-error only a list can be streamed
  await connection.tasks.get("1", { stream: true });
  // @ts-expect-error a dry run takes what the operation takes
  await connection.dryRun.tasks.create({ titel: "A" });
  // @ts-expect-error there is no such operation
  await connection.git.repos.delete("1");
  // @ts-expect-error there is no such type
  await pb.platform.integrations.create({ identifier: "github", type: "password" });
  const event = await verifyWebhook("{}", {}, "whsec_");
  // @ts-expect-error there is no such type of event
  if (event.type === "git.issue.renamed") return;
  // @ts-expect-error an address is required
  new Plugboard({ apiKey: "key" });
  // @ts-expect-error a key is required
  new Plugboard({ baseUrl: "http://127.0.0.1:8080" });
  const task: NewTask = { title: "A" };
  // @ts-expect-error a task that is sent has no id
  task.id = "1";
}

/** Errors can be told apart, with what each has. */
export function describeError(error: unknown): string {
  if (error instanceof ProviderError) same<typeof error.body, unknown>();
  return String(error);
}
