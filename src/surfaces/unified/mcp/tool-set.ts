import { invalidInput } from "../../../contracts/fault.ts";
import type { Engine } from "../../../engine/index.ts";
import { defineConnectAccount, describeAccounts, listAccountsTool, type OfferedTool } from "./account-tools.ts";
import type { Account, Accounts, Connectable } from "./accounts.ts";
import { explain } from "./advice.ts";
import { type CheckedTool, findProblems, withoutNulls } from "./arguments.ts";
import { type ApiCall, CALL_API, callApi, defineCallApi } from "./call-api.ts";
import type { LinkTarget } from "./connect-link.ts";
import {
  type RunTool,
  runOperation,
  type ToolCallContext,
  type ToolOutcome,
  toErrorResult,
  toResult,
} from "./run-tool.ts";
import { callToolTool, MAX_LISTED_TOOLS, searchTools, searchToolsTool } from "./search-tools.ts";
import type { ToolCall, ToolReply, ToolSet } from "./server.ts";
import { defineTools, LIST_ACCOUNTS } from "./tools.ts";

export interface AccountToolsOptions {
  engine: Engine;
  accounts: Accounts;
  offered: readonly OfferedTool[];
  /** Whether all tools are listed, however many they are. */
  listsAll: boolean;
  /** Undefined if the provider's own API must not be called. */
  direct: { mayWrite: boolean } | undefined;
  run: RunTool;
  contextFor(account: Account): ToolCallContext;
  /** Makes a link; undefined if the caller must not connect accounts. */
  link: ((target: LinkTarget) => Promise<string>) | undefined;
  /** Whose new accounts can be connected here; undefined if none can. */
  newAccountsOf: string | undefined;
  /** What the person has to do about an account that cannot be connected here. */
  howToConnect: string;
  headerPrefix: string;
}

const INSTRUCTIONS = `Tools for the user's accounts at several services. Call ${LIST_ACCOUNTS} first: it says which accounts \
there are and what each can do. Every other tool takes \`account\`. Records have the same format for every service. Lists \
are paginated: to get the next page, pass \`metadata.next\` as \`after\`. Get ids for arguments from the tools that list them.`;

const SEARCH = " There are many tools: find one with search_tools, and call it with call_tool.";

/** A tool that is no operation, and what it does with valid arguments. */
type OwnTool = [CheckedTool, (call: ToolCall) => ToolReply | Promise<ToolReply>];

const noAccount = (name: unknown, names: readonly string[]) =>
  `There is no account ${String(name)}. The accounts are ${names.join(", ")}.`;

/** One set of tools over all of a person's accounts. */
export function createAccountTools(options: AccountToolsOptions): ToolSet {
  const { engine, accounts, offered, listsAll, direct, run, contextFor, link, newAccountsOf, headerPrefix } = options;
  const { howToConnect } = options;
  const { connected, connectable } = accounts;
  const searched = !listsAll && offered.length >= MAX_LISTED_TOOLS;
  /** The accounts for `call_api`. What only reads must not be able to write. */
  const callable = connected
    .filter(({ connection }) => connection && (direct?.mayWrite || !connection.provider.manifest.getMayWrite))
    .map(({ name }) => name);
  const names = [...connected, ...connectable].map(({ name }) => name);
  const ownPrefix = headerPrefix.toLowerCase();

  /** Asks the person to connect an account, as far as the client and the caller allow. */
  async function askToConnect(
    name: string,
    target: LinkTarget | undefined,
    { answer }: ToolCall,
    failed?: ToolOutcome,
  ): Promise<ToolReply> {
    if (answer === "decline" || answer === "cancel")
      return toErrorResult(`The user did not connect ${name}. Do not ask again unless they want to.`);
    if (link && target) return { connect: { url: await link(target), message: `Connect ${name} to go on.` } };
    return failed?.result ?? toErrorResult(`${name} is not connected: ${howToConnect}.`);
  }

  const connect = ({ name, integration }: Connectable, call: ToolCall) => {
    const externalId = newAccountsOf;
    return askToConnect(
      name,
      externalId === undefined ? undefined : { externalId, integrationId: integration.id },
      call,
    );
  };

  async function onAccount(
    call: ToolCall,
    work: (context: ToolCallContext) => Parameters<RunTool>[2],
    label: string,
  ): Promise<ToolReply> {
    const { account: name } = call.args;
    const account = connected.find((one) => one.name === name);
    const missing = connectable.find((one) => one.name === name);
    if (missing) return connect(missing, call);
    if (!account)
      return toErrorResult(
        name === undefined ? `\`account\` is required: one of ${names.join(", ")}.` : noAccount(name, names),
      );
    const context = contextFor(account);
    const outcome = await run(context, label, work(context));
    return outcome.mustReconnect
      ? askToConnect(account.name, { connection: account.record }, call, outcome)
      : outcome.result;
  }

  function callOperation(call: ToolCall): Promise<ToolReply> | undefined {
    const found = offered.find(({ tool }) => tool.name === call.name);
    if (!found) return undefined;
    const { account, ...args } = call.args;
    const { tool, users } = found;
    const known = connected.some(({ name }) => name === account);
    if (known && !users.some((user) => user.account === account))
      return Promise.resolve(
        toErrorResult(
          `${String(account)} cannot do this. ${tool.name} works with ${users.map((user) => user.account).join(", ")}.`,
        ),
      );
    const input = { args, meta: call.meta, connectionHeader: `${ownPrefix}connection-id` };
    return onAccount(call, (context) => runOperation(engine, context, tool, input), tool.operation.id);
  }

  function callDirectly(call: ToolCall, { mayWrite }: { mayWrite: boolean }): Promise<ToolReply> {
    const { account, ...args } = call.args;
    const isKnown = connected.some(({ name, connection }) => connection && name === account);
    if (isKnown && !callable.includes(String(account)))
      return Promise.resolve(
        toErrorResult(
          `${String(account)} cannot be called here, because its API may also write with GET. Use other tools.`,
        ),
      );
    const own = { mayWrite, ownPrefix, meta: call.meta };
    return onAccount(call, (context) => callApi(engine, context, args as unknown as ApiCall, own), CALL_API);
  }

  async function connectAccount(call: ToolCall): Promise<ToolReply> {
    const { account: name } = call.args;
    const missing = connectable.find((one) => one.name === name);
    if (missing) return connect(missing, call);
    return connected.some(({ record }) => record.integration_identifier === name)
      ? toResult({ connected: name })
      : toErrorResult(`There is no service ${String(name)}. The services are ${names.join(", ")}.`);
  }

  function callFound(call: ToolCall): Promise<ToolReply> {
    const { name, arguments: args } = call.args as { name: string; arguments: Record<string, unknown> };
    return (
      callOperation({ ...call, name, args }) ??
      Promise.resolve(toErrorResult(`There is no tool ${name}: find one with search_tools.`))
    );
  }

  function search({ args }: ToolCall): ToolReply {
    const { query, account } = args as { query: string; account?: string };
    const own = connected.map(({ name }) => name);
    if (account !== undefined && !own.includes(account)) return toErrorResult(noAccount(account, own));
    const tools = searchTools(offered, query, account);
    return tools.length > 0
      ? toResult({ tools })
      : toErrorResult("No tool was found. Try other words, or list_accounts.");
  }

  const connectTool = defineConnectAccount(connectable.map(({ name }) => name));
  const apiTool = defineCallApi(callable, direct?.mayWrite ?? false);

  const ownTools: OwnTool[] = [[listAccountsTool, () => toResult(describeAccounts(accounts, offered))]];
  if (link) ownTools.push([connectTool, connectAccount]);
  if (direct) ownTools.push([apiTool, (call) => callDirectly(call, direct)]);
  if (searched) ownTools.push([searchToolsTool, search], [callToolTool, callFound]);

  async function callOwn([tool, work]: OwnTool, call: ToolCall): Promise<ToolReply> {
    const problems = findProblems(tool, call.args);
    if (problems.length > 0) return toErrorResult(explain(invalidInput(...problems), { tools: [], requestId: "" }));
    return work({ ...call, args: withoutNulls(call.args) });
  }

  return {
    title: "Plugboard",
    instructions: searched ? INSTRUCTIONS + SEARCH : INSTRUCTIONS,
    list: () => [
      listAccountsTool,
      ...(searched ? [searchToolsTool, callToolTool] : defineTools(offered)),
      ...(link && newAccountsOf && connectable.length > 0 ? [connectTool] : []),
      ...(direct && callable.length > 0 ? [apiTool] : []),
    ],
    call(call) {
      const own = ownTools.find(([{ name }]) => name === call.name);
      return own ? callOwn(own, call) : callOperation(call);
    },
  };
}
