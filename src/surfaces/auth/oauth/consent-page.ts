import type { GrantAccess } from "../../../contracts/access.ts";
import type { Workspace } from "../../../contracts/entities.ts";
import type { McpPerson, McpSignIn } from "../../../contracts/mcp-grants.ts";
import type { ToolPack } from "../../../contracts/tool-packs.ts";
import { isDocumentAddress } from "../../../engine/index.ts";
import { type Html, html } from "../../../runtime/html.ts";
import type { Assets } from "../assets.ts";
import type { Brand } from "../brand.ts";
import { recipient, shell } from "../pages.ts";
import { describeLimits } from "./describe-limits.ts";
import { redirectHost } from "./redirects.ts";

/** An account that can be chosen. */
export interface AccountChoice {
  id: string;
  /** The provider, or the integration's own name. */
  name: string;
  /** Whose it is at the provider. */
  account: string | null;
  isValid: boolean;
  isChosen: boolean;
}

export interface ConsentPage {
  signIn: McpSignIn & { person: McpPerson };
  workspace: Workspace;
  brand: Brand;
  accounts: readonly AccountChoice[];
  /** Whether there are more accounts than are shown. */
  isCut: boolean;
  mayConnect: boolean;
  access: GrantAccess;
  /** Undefined if that is not theirs to allow. */
  callApi: boolean | undefined;
  /** What limits the client, whatever they choose. */
  pack: ToolPack | undefined;
  ticket: string;
  problem: string | undefined;
}

const whoIs = ({ actor, external_id }: McpPerson): string => {
  if (actor.kind === "key") return actor.name === null ? "an API key" : `the API key ${actor.name}`;
  if (actor.kind === "command") return "somebody with a one-time link";
  return actor.name ?? external_id ?? actor.id ?? "yourself";
};

const accountMarkup = ({ id, name, account, isValid, isChosen }: AccountChoice, describedBy: string | false): Html =>
  html`<li><label class="choice"><input type="checkbox" name="connection" value="${id}"${isChosen && html` checked`}${describedBy && html` aria-describedby="${describedBy}"`}><span><strong>${name}</strong>${account && html` <span class="quiet">${account}</span>`}${!isValid && html` <span class="quiet">has to be connected again</span>`}</span></label></li>
`;

const accessMarkup = ({ access, callApi }: ConsentPage): Html => html`<fieldset><legend>It may</legend>
<label class="choice"><input type="radio" name="access" value="read"${access === "read" && html` checked`}><span>only read</span></label>
<label class="choice"><input type="radio" name="access" value="write"${access === "write" && html` checked`}><span>read, and also create, change and send</span></label>
${callApi !== undefined && html`<label class="choice"><input type="checkbox" name="call_api" value="yes"${callApi && html` checked`} aria-describedby="call-api-hint"><span>also call the services' own APIs <span class="quiet" id="call-api-hint">for everything that your accounts can do there, not only for what is listed here</span></span></label>`}
</fieldset>`;

function limitsMarkup(pack: ToolPack, workspace: Workspace): Html | false {
  const limits = describeLimits(pack);
  return (
    limits.length > 0 &&
    html`<h2>Limits</h2>
<p>Whatever you choose, <strong>${workspace.name}</strong> limits what it can do:</p>
<ul>${limits.map((limit) => html`<li>${limit}</li>`)}</ul>`
  );
}

/** Where people decide what a client may do. The client has chosen its own name: its address says who gets the access. */
export function consentPage(page: ConsentPage, assets: Assets): string {
  const { signIn, workspace, accounts, pack, problem, mayConnect } = page;
  const title = `Allow ${signIn.client_name} to use your accounts?`;
  return shell({
    title: problem === undefined ? title : `Error: ${title}`,
    assets,
    brand: page.brand,
    content: html`<h1>${title}</h1>
<p>The access goes to ${recipient(redirectHost(signIn.redirect_uri))}. You are signed in to <strong>${workspace.name}</strong> as <strong>${whoIs(signIn.person)}</strong>.</p>
<p class="quiet">The program has chosen its name itself${isDocumentAddress(signIn.client_id) && html`, at <strong>${new URL(signIn.client_id).host}</strong>`}. If you did not just start this there, choose Deny.</p>
${problem !== undefined && html`<div class="problems" role="alert"><h2>There is a problem</h2><ul><li id="accounts-problem">${problem}</li></ul></div>`}
<form method="post">
<input type="hidden" name="ticket" value="${page.ticket}">
<fieldset><legend>Accounts</legend>
${
  accounts.length === 0
    ? html`<p>There are no accounts yet${pack && " that it could do something with"}.</p>`
    : html`<ul class="choices">${accounts.map((account) => accountMarkup(account, problem !== undefined && "accounts-problem"))}</ul>`
}
${page.isCut && html`<p class="quiet">There are more accounts than can be shown here.</p>`}
</fieldset>
${pack && limitsMarkup(pack, workspace)}
${pack?.access !== "read" && accessMarkup(page)}
<div class="actions">
<button class="primary" name="decision" value="allow">Allow</button>
<button name="decision" value="deny">Deny</button>
</div>
${mayConnect && html`<p class="actions"><button name="decision" value="connect">Connect another account</button></p>`}
</form>`,
    footer: html`You can end this at any time${signIn.person.external_id === null && " in the dashboard, under MCP"}.`,
  });
}
