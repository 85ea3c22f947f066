import type { CustomField, DeclaredField } from "../../contracts/custom-fields.ts";
import type { Connection } from "../../contracts/entities.ts";

const NONE: readonly DeclaredField[] = [];

/** Whether a declaration is for this connection. */
export const appliesTo = (
  { id, integration_id }: Pick<Connection, "id" | "integration_id">,
  field: CustomField,
): boolean =>
  (field.connection_id === null || field.connection_id === id) &&
  (field.integration_id === null || field.integration_id === integration_id);

/** How near a declaration is: that of the connection wins over that of its integration, which wins over the workspace's. */
const nearness = ({ connection_id, integration_id }: CustomField) =>
  connection_id !== null ? 2 : integration_id !== null ? 1 : 0;

/** The custom fields of a record for one provider: of several declarations of a name, the nearest. */
export function declaredFields(
  declarations: readonly CustomField[],
  record: string | undefined,
  provider: string,
): readonly DeclaredField[] {
  if (declarations.length === 0) return NONE;
  const nearest = new Map<string, CustomField>();
  for (const one of declarations) {
    if (one.record !== record) continue;
    const other = nearest.get(one.name);
    if (!other || nearness(one) > nearness(other)) nearest.set(one.name, one);
  }
  return [...nearest.keys()].sort().map((name) => {
    const { type, paths } = nearest.get(name)!;
    return { name, type, path: paths[provider] ?? null };
  });
}
