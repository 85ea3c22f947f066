import Type from "typebox";
import { Nullable } from "../../categories/schema.ts";
import { MAX_WORKSPACE_NAME_LENGTH, WORKSPACE_NAME } from "../../contracts/entities.ts";
import type { ChangingStore } from "../../contracts/store.ts";
import { closed } from "../shared/platform-records/schema.ts";
import { WorkspaceRecord } from "../shared/platform-records/workspace.ts";
import { pageProblem, redirectProblem } from "../shared/redirect-uris.ts";
import { assertToolPack } from "./assert-tool-pack.ts";
import { change } from "./change.ts";
import type { PlatformApp, PlatformOptions } from "./options.ts";
import { describeRoute, requireFound } from "./route.ts";
import { DryRun, InputText } from "./schemas.ts";
import { createProblems } from "./validation.ts";

export const WorkspaceChange = Type.Object(
  {
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_WORKSPACE_NAME_LENGTH,
        pattern: WORKSPACE_NAME,
        description: "a name, without spaces around it and without control characters such as line breaks",
      }),
    ),
    redirect_uris: Type.Optional(Type.Array(InputText(2_000, "an absolute URL"), { maxItems: 100 })),
    logo_url: Type.Optional(Nullable(InputText(2_000, "the https address of an image"))),
    accent_color: Type.Optional(Nullable(InputText(7, "a color such as #1f5fbf"))),
    mcp_sign_in_url: Type.Optional(Nullable(InputText(2_000, "the https address of a page of your application"))),
    mcp_tool_pack_id: Type.Optional(
      Nullable(InputText(100, "the id of a tool pack, which limits the MCP clients that people sign in from then on")),
    ),
  },
  { title: "WorkspaceChange", ...closed },
);

export function workspaceRoutes(app: PlatformApp, { store, coordination }: PlatformOptions): void {
  const route = describeRoute("Workspace");

  // Not the cached `request.workspace`: a change made by another process must be visible immediately.
  app.get(
    "/v1/workspace",
    { schema: route("getWorkspace", "workspace:read", "Get the workspace", { 200: WorkspaceRecord }) },
    async (request) => requireFound(await store.workspaces.get(request.workspace.id)),
  );

  app.patch(
    "/v1/workspace",
    {
      attachValidation: true,
      schema: route("updateWorkspace", "workspace:write", "Change the workspace", {
        action: "workspace.update",
        wholeWorkspace: true,
        querystring: DryRun,
        body: WorkspaceChange,
        200: WorkspaceRecord,
      }),
    },
    async (request) => {
      const { id } = request.workspace;
      const problems = createProblems(request);
      const { name, redirect_uris, logo_url, accent_color, mcp_sign_in_url, mcp_tool_pack_id } = request.body;
      if (name !== undefined && problems.valid("name")) {
        const existing = await store.workspaces.byName(name);
        if (existing && existing.id !== id) problems.add("Another workspace already has this name", "name");
      }
      if (redirect_uris && problems.valid("redirect_uris"))
        for (const [index, uri] of redirect_uris.entries()) {
          const problem =
            redirectProblem(uri) ?? (redirect_uris.indexOf(uri) < index ? "Duplicate of another entry" : undefined);
          if (problem) problems.add(problem, "redirect_uris", String(index));
        }
      const logo = logo_url && problems.valid("logo_url") ? pageProblem(logo_url) : undefined;
      if (logo) problems.add(logo, "logo_url");
      if (accent_color && problems.valid("accent_color") && !/^#[\da-f]{6}$/i.test(accent_color))
        problems.add("Must be a hexadecimal color with six digits, such as #1f5fbf", "accent_color");
      const signIn =
        mcp_sign_in_url && problems.valid("mcp_sign_in_url")
          ? (pageProblem(mcp_sign_in_url) ?? redirectProblem(mcp_sign_in_url))
          : undefined;
      if (signIn) problems.add(signIn, "mcp_sign_in_url");
      problems.throwIfAny();
      const values = {
        ...(name === undefined ? {} : { name }),
        ...(redirect_uris === undefined ? {} : { redirect_uris }),
        ...(logo_url === undefined ? {} : { logo_url }),
        ...(accent_color === undefined ? {} : { accent_color }),
        ...(mcp_sign_in_url === undefined ? {} : { mcp_sign_in_url }),
        ...(mcp_tool_pack_id === undefined ? {} : { mcp_tool_pack_id }),
      };
      const current = await store.workspaces.get(id);
      const work = async ({ workspaces, toolPacks }: ChangingStore) => {
        await assertToolPack(toolPacks, id, mcp_tool_pack_id, "mcp_tool_pack_id");
        return workspaces.update(id, values);
      };
      const updated = await change(store, request, work, current);
      await coordination.invalidate("workspace", id);
      return requireFound(updated);
    },
  );
}
