// What the Python tests know about the running service and the table of operations.

import { Plugboard } from "../../sdk/src/index.ts";
import { operations } from "../../src/categories/index.ts";
import { sdkMethod } from "../../src/categories/sdk-method.ts";
import type { BoundOperation } from "../../src/contracts/operation.ts";
import { requiredQuery } from "../conformance/client.ts";
import { methodsOf, providerOf, uploadingProviders } from "../sdk/methods.ts";
import type { TestService } from "../support/service.ts";

const nameOf = (operation: BoundOperation) => sdkMethod(operation).join(".");

/** How an operation is called. */
const callOf = (operation: BoundOperation) => ({
  method: nameOf(operation),
  kind: operation.kind,
  provider: providerOf(operation),
  /** Which lists have the values of the path. */
  parameters: operation.parameters.map(({ source }) => ({
    method: nameOf(operations.find(({ id }) => id === `${operation.category}.${source.operation}`)!),
    field: source.field,
  })),
  query: requiredQuery(operation),
  body: operation.sample ?? {},
  needs_project: operation.kind === "create" && "project_id" in operation.body!.properties,
  keys: Object.keys((operation.record as { properties?: object }).properties ?? {}),
});

const snakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export async function serviceFile(service: TestService) {
  const { platform } = new Plugboard({ apiKey: "key", baseUrl: service.url });
  return {
    url: service.url,
    api_key: service.apiKey,
    other_api_key: await service.createWorkspace("python"),
    third_api_key: await service.createWorkspace("made-up values"),
    connections: service.connections,
    github_token: service.sandbox.credentials("github", "api_key").credentials.token,
    operations: operations.map(callOf),
    uploading: uploadingProviders,
    /** Where the TypeScript SDK has the routes of the Platform API. */
    platform_methods: [...methodsOf(platform).keys()].map(snakeCase),
  };
}
