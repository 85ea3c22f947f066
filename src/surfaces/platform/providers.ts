import type { FastifyReply, FastifyRequest, FastifySchemaCompiler } from "fastify";
import Type from "typebox";
import { Nullable } from "../../categories/schema.ts";
import type { Integration, StoredProvider } from "../../contracts/entities.ts";
import { Fault, invalidInput, type Problem } from "../../contracts/fault.ts";
import { MAX_OWN_PROVIDERS } from "../../contracts/store.ts";
import { hostOf, settingsIn } from "../../provider-document/confined-settings.ts";
import { checkDocument, toProvider } from "../../provider-document/read.ts";
import { ProviderDocument } from "../../provider-document/schema.ts";
import { ProviderDetails, ProviderRecord } from "../shared/platform-records/provider.ts";
import { closed } from "../shared/platform-records/schema.ts";
import { change } from "./change.ts";
import { describeFully, describeProvider } from "./describe-provider.ts";
import { sendPlatformError } from "./errors.ts";
import type { PlatformApp, PlatformOptions } from "./options.ts";
import { describeRoute, IdParameter, notFound, requireFound } from "./route.ts";
import { DryRun, Success } from "./schemas.ts";

const MAX_DOCUMENT_KB = 64;

const { id: _, ...changeable } = ProviderDocument.properties;
const required = new Set<string>(ProviderDocument.required);
/** Fields that a document need not have can be removed by null. */
const DocumentChange = Type.Object(
  Object.fromEntries(
    Object.entries(changeable).map(([name, field]) => [
      name,
      Type.Optional(required.has(name) ? field : Nullable(field as Parameters<typeof Nullable>[0])),
    ]),
  ),
  { ...closed, title: "ProviderDocumentChange" },
);

const conflict = (message: string) => new Fault("conflict", message);

function refuseIfUsed({ length }: readonly Integration[], what: string): void {
  if (length > 0) throw conflict(`${length} integration${length === 1 ? " uses" : "s use"} ${what}: delete them first`);
}

export function providerRoutes(app: PlatformApp, { engine, store, coordination }: PlatformOptions): void {
  const route = describeRoute("Providers");
  const takesDocument = {
    bodyLimit: MAX_DOCUMENT_KB * 1024,
    // A document is checked as a whole, whether it is new or changed.
    validatorCompiler: (part: Parameters<FastifySchemaCompiler<unknown>>[0]) =>
      part.httpPart === "body" ? () => true : app.validatorCompiler!(part),
    errorHandler(error: { code?: string }, request: FastifyRequest, reply: FastifyReply) {
      const isTooLarge = error.code === "FST_ERR_CTP_BODY_TOO_LARGE";
      const fault = new Fault("too_large", `a document can have ${MAX_DOCUMENT_KB} kB`);
      return sendPlatformError(isTooLarge ? fault : error, request, reply);
    },
  };

  /** The document, if nothing is wrong with it. */
  async function checked(document: unknown): Promise<ProviderDocument> {
    const problems = await checkDocument(document);
    if (problems.length === 0) problems.push(...(await addressProblems(document as ProviderDocument)));
    if (problems.length > 0) throw invalidInput(...problems);
    return document as ProviderDocument;
  }

  /** Hosts that depend on a setting are checked when its value is known, and each one again at every connect. */
  async function addressProblems({ addresses }: ProviderDocument): Promise<Problem[]> {
    const known = Object.entries(addresses).filter(([, address]) => settingsIn(hostOf(address)).length === 0);
    const refused = await Promise.all(
      known.map(async ([name, address]) => ({
        path: ["addresses", name],
        message: await engine.refuseAddress(address.replaceAll(/\{\w+\}/g, "x")),
      })),
    );
    return refused.filter((problem): problem is Problem => problem.message !== undefined);
  }

  function refuseShared(id: string, what: string): void {
    const shared = engine.sharedProviders.get(id);
    const origin = shared?.origin === "catalogue" ? "in the catalogue" : "built in";
    if (shared) throw conflict(`${shared.manifest.name} is ${origin}: ${what}`);
  }

  /** The workspace's own provider. */
  async function ownProvider(workspaceId: string, id: string): Promise<StoredProvider> {
    const stored = await store.providers.get(workspaceId, id);
    if (!stored) refuseShared(id, "it cannot be changed");
    return requireFound(stored);
  }

  const toRecord = (stored: StoredProvider) =>
    describeFully(toProvider(JSON.parse(stored.document), "workspace"), stored);

  app.get(
    "/v1/providers",
    {
      schema: route("listProviders", "providers:read", "List providers", {
        200: Type.Array(ProviderRecord),
        description: "All providers that integrations can be created for, in one response.",
      }),
    },
    async ({ workspace }) => [...(await engine.providersOf(workspace.id)).values()].map(describeProvider),
  );

  app.post(
    "/v1/providers",
    {
      ...takesDocument,
      schema: route("createProvider", "providers:write", "Create a provider", {
        action: "provider.create",
        wholeWorkspace: true,
        querystring: DryRun,
        body: ProviderDocument,
        201: ProviderDetails,
        errors: [409, 413],
        description: `Describes an API that is not among the providers yet: its addresses, and how to authenticate. Integrations and connections of it are used with the Proxy. Only this workspace has it. A workspace can have ${MAX_OWN_PROVIDERS}.`,
      }),
    },
    async (request, reply) => {
      const document = await checked(request.body);
      const { id } = document;
      refuseShared(id, "give yours another id");
      const values = { workspace_id: request.workspace.id, id, document: JSON.stringify(document) };
      const created = await change(store, request, ({ providers }) => providers.create(values));
      if (!created) throw conflict(`the workspace has a provider ${id}: change it, or give this one another id`);
      await coordination.invalidate("provider", id);
      return reply.code(201).send(toRecord(created));
    },
  );

  app.get(
    "/v1/providers/:id",
    {
      schema: route("getProvider", "providers:read", "Get a provider", { params: IdParameter, 200: ProviderDetails }),
    },
    async ({ workspace, params: { id } }) => {
      const stored = await store.providers.get(workspace.id, id);
      return stored ? toRecord(stored) : describeFully(requireFound(engine.sharedProviders.get(id)), undefined);
    },
  );

  app.patch(
    "/v1/providers/:id",
    {
      ...takesDocument,
      schema: route("updateProvider", "providers:write", "Change a provider", {
        action: "provider.update",
        wholeWorkspace: true,
        params: IdParameter,
        querystring: DryRun,
        body: DocumentChange,
        200: ProviderDetails,
        errors: [409, 413],
        description:
          "Each given field replaces that of the document; null removes it. Integrations and connections stay, and use it as it is then. A way to authenticate that integrations use cannot be removed.",
      }),
    },
    async (request) => {
      const { workspace, params, body } = request;
      const stored = await ownProvider(workspace.id, params.id);
      const current = JSON.parse(stored.document) as ProviderDocument;
      const document = await checked(withChanges(current, body));
      if (document.id !== stored.id) throw invalidInput({ path: ["id"], message: "cannot be changed" });
      const text = JSON.stringify(document);
      if (text === stored.document) return toRecord(stored);
      const removed = Object.keys(current.auth).filter((type) => !Object.hasOwn(document.auth, type));
      const changed = await change(
        store,
        request,
        async ({ providers, integrations }) => {
          const using = removed.length > 0 ? await integrations.ofProvider(workspace.id, stored.id) : [];
          for (const type of removed)
            refuseIfUsed(
              using.filter((one) => one.type === type),
              `auth.${type}`,
            );
          return providers.replace(stored, text);
        },
        current,
      );
      if (!changed) throw conflict("it was changed or deleted at the same time: try again");
      await coordination.invalidate("provider", stored.id);
      return toRecord(changed);
    },
  );

  app.delete(
    "/v1/providers/:id",
    {
      schema: route("deleteProvider", "providers:write", "Delete a provider", {
        action: "provider.delete",
        wholeWorkspace: true,
        params: IdParameter,
        200: Success,
        errors: [409],
        description: "Its integrations have to be deleted first.",
      }),
    },
    async (request) => {
      const { workspace } = request;
      const { id } = await ownProvider(workspace.id, request.params.id);
      const deleted = await change(store, request, async ({ providers, integrations }) => {
        refuseIfUsed(await integrations.ofProvider(workspace.id, id), "it");
        return providers.delete(workspace.id, id);
      });
      if (!deleted) throw notFound();
      await coordination.invalidate("provider", id);
      return { success: true };
    },
  );
}

/** Unknown fields stay, also as null: the check of the document names them. */
function withChanges(document: object, change: unknown): unknown {
  if (change === null || typeof change !== "object" || Array.isArray(change)) return change;
  const isRemoved = ([name, value]: [string, unknown]) =>
    value === null && Object.hasOwn(ProviderDocument.properties, name);
  return Object.fromEntries(Object.entries({ ...document, ...change }).filter((field) => !isRemoved(field)));
}
