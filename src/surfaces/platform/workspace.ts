import type { PlatformApp, PlatformOptions } from "./options.ts";
import { describeRoute, found } from "./route.ts";
import { WorkspaceChange, WorkspaceRecord } from "./schemas.ts";
import { createProblems } from "./validation.ts";

/** Schemes that a browser runs or opens by itself instead of handing them to an application. */
const UNSAFE_SCHEMES = ["javascript:", "data:", "vbscript:", "file:", "blob:", "about:", "filesystem:", "ws:", "wss:"];

export function workspaceRoutes(app: PlatformApp, { store, coordination }: PlatformOptions): void {
  const route = describeRoute("Workspace");

  // The cached workspace would do, but a change made by another process should show at once.
  app.get("/v1/workspace", { schema: route("Get the workspace", { 200: WorkspaceRecord }) }, async (request) =>
    found(await store.workspaces.get(request.workspace.id)),
  );

  app.patch(
    "/v1/workspace",
    {
      attachValidation: true,
      schema: route("Change the workspace", { body: WorkspaceChange, 200: WorkspaceRecord }),
    },
    async (request) => {
      const { id } = request.workspace;
      const { name, redirect_uris } = request.body ?? {};
      const problems = createProblems(request);
      if (name !== undefined && problems.sound("name")) {
        const holder = await store.workspaces.byName(name);
        if (holder && holder.id !== id) problems.add("Another workspace has this name", "name");
      }
      if (redirect_uris && problems.sound("redirect_uris"))
        for (const [index, uri] of redirect_uris.entries()) {
          const refusal =
            refuseRedirect(uri) ?? (redirect_uris.indexOf(uri) < index ? "Is in the list twice" : undefined);
          if (refusal) problems.add(refusal, "redirect_uris", String(index));
        }
      problems.raise();
      const updated = await store.workspaces.update(id, {
        ...(name === undefined ? {} : { name }),
        ...(redirect_uris === undefined ? {} : { redirect_uris }),
      });
      await coordination.invalidate("workspace", id);
      return found(updated);
    },
  );
}

/** Why a browser must not be sent there, or undefined. */
function refuseRedirect(uri: string): string | undefined {
  // URL parsing drops white space; the redirect must equal what is registered to the letter.
  const url = /[\s\p{Cc}]/u.test(uri) ? null : URL.parse(uri);
  if (!url) return "Must be an absolute address, such as https://example.com/callback or com.example.app:/callback";
  if (UNSAFE_SCHEMES.includes(url.protocol)) return `Must not be a ${url.protocol} address`;
  if (uri.includes("#")) return "Must not have a fragment";
  if (url.username || url.password) return "Must not hold a user name or a password";
  return undefined;
}
