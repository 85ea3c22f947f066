import { type Role, roles } from "./access.ts";
import type { Workspace } from "./entities.ts";

/** Somebody who signed in at the identity provider, as it described them then. */
export interface Person {
  issuer: string;
  /** Who they are at the issuer. */
  subject: string;
  name: string | null;
  email: string | null;
  /** The domain of their email address, if the issuer has verified the address. */
  verified_domain: string | null;
  groups: string[];
}

/** Who they are among the people of all issuers. An issuer has no fragment. */
export const personId = ({ issuer, subject }: Pick<Person, "issuer" | "subject">): string => `${issuer}#${subject}`;

/** Which role the members of a group have in a workspace. `*` is any group, and any workspace. */
export interface RoleGrant {
  group: string;
  role: Role;
  /** Its name or its id. */
  workspace: string;
}

/** How people sign in with OpenID Connect, and what they may do then. */
export interface OidcSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Undefined if people of any domain may sign in. */
  allowedDomains: string[] | undefined;
  /** The name of a claim, or a path to it with dots. */
  groupsClaim: string;
  roles: RoleGrant[];
}

/** Who may have a role at all: people of the configured issuer and, if they are limited, of its domains. */
export const isAdmitted = (
  { issuer, allowedDomains }: Pick<OidcSettings, "issuer" | "allowedDomains">,
  person: Person,
): boolean =>
  person.issuer === issuer &&
  (allowedDomains === undefined ||
    (person.verified_domain !== null && allowedDomains.includes(person.verified_domain)));

/** A person's strongest role in a workspace, by the settings of today; undefined if they have none. */
export function roleIn(
  settings: OidcSettings | undefined,
  person: Person,
  { id, name }: Pick<Workspace, "id" | "name">,
): Role | undefined {
  if (!settings || !isAdmitted(settings, person)) return undefined;
  const granted = settings.roles
    .filter(({ group }) => group === "*" || person.groups.includes(group))
    .filter(({ workspace }) => ["*", id, name].includes(workspace))
    .map(({ role }) => role);
  return roles.findLast((role) => granted.includes(role));
}

/** The workspaces in which a person has a role, those with the strongest one first. */
export const grantedWorkspaces = (
  settings: OidcSettings | undefined,
  person: Person,
  workspaces: readonly Workspace[],
): { workspace: Workspace; role: Role }[] =>
  workspaces
    .flatMap((workspace) => {
      const role = roleIn(settings, person, workspace);
      return role ? [{ workspace, role }] : [];
    })
    .sort((a, b) => roles.indexOf(b.role) - roles.indexOf(a.role));
