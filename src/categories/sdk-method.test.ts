import { expect, it } from "vitest";
import { operations } from "./index.ts";
import { sdkCall, sdkMethod } from "./sdk-method.ts";

const operation = (id: string) => operations.find((one) => one.id === id)!;

it("every operation has an SDK method of its own, and none is both a method and a group of methods", () => {
  const methods = operations.map((one) => sdkMethod(one).join("."));
  expect(new Set(methods).size).toBe(operations.length);
  const groups = new Set(methods.flatMap((method) => method.split(".").map((_, i, all) => all.slice(0, i).join("."))));
  expect(methods.filter((method) => groups.has(method))).toEqual([]);
});

it.each([
  ["identity.getMe", "me"],
  ["git.listRepositories", "git.repos.list"],
  ["git.createIssue", "git.issues.create"],
  ["git.listIssueComments", "git.comments.list"],
  ["tasks.createTask", "tasks.create"],
  ["tasks.listProjects", "tasks.projects.list"],
  ["chat.sendMessage", "chat.send"],
  ["drive.downloadFile", "drive.download"],
  ["drive.getFile", "drive.files.get"],
])("the SDK method of %s is %s", (id, method) => {
  expect(sdkMethod(operation(id)).join(".")).toBe(method);
});

it("a call is shown as SDK code, with path parameters first", () => {
  const code = sdkCall(operation("git.createIssue"), "conn_1", { params: { repo: "a/b" }, body: { title: 'A "b"' } });
  expect(code).toBe('pb.connection("conn_1").git.issues.create("a/b", {"title":"A \\"b\\""})');
  expect(sdkCall(operation("identity.getMe"), "conn_1")).toBe('pb.connection("conn_1").me()');
  const files = sdkCall(operation("drive.listFiles"), "conn_1", { query: { limit: 5 } });
  expect(files).toBe('pb.connection("conn_1").drive.files.list({"limit":5})');
  const sent = sdkCall(operation("drive.uploadFile"), "conn_1", { query: { name: "a.txt" } });
  expect(sent).toBe('pb.connection("conn_1").drive.upload(file, {"name":"a.txt"})');
});
