import { type Expression, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import type { ConnectionFilter } from "../contracts/connections.ts";
import type { StoreContext } from "./database/context.ts";
import type { Database } from "./database/schema.ts";
import { keyPrefix } from "./secrets/vault.ts";

/** More rows than this are many. */
const MAX_COUNTED = 1_000;

type Connections = SelectQueryBuilder<Database, "connections", object>;

/** One part of a filter. */
interface Condition {
  /** The connections that match, in the order of an index. */
  byIndex(): Connections;
  /** Checks connections that another condition's index has found. */
  check(query: Connections): Connections;
  /** Whether few connections match for certain. */
  isRare?: boolean;
  order?: readonly [createdAt: string, id: string];
}

const LIST_ORDER = ["connections.created_at", "connections.id"] as const;
const METADATA_ORDER = ["found.created_at", "found.connection_id"] as const;

/**
 * The connections of a workspace that match a filter, and the columns that they are ordered by. The condition that the
 * fewest connections match is the one whose index is used; the others are written so that no index fits, because SQLite
 * would often choose another one.
 */
export async function filterConnections(
  { database, keyring, metadataTerm }: Pick<StoreContext, "database" | "keyring" | "metadataTerm">,
  workspaceId: string,
  filter: ConnectionFilter,
): Promise<{ query: Connections; order: readonly [createdAt: string, id: string] }> {
  const all = (): Connections =>
    database.selectFrom("connections").where("connections.workspace_id", "=", workspaceId) as unknown as Connections;

  const condition = (indexed: Expression<SqlBool>, unindexed = indexed, isRare = false): Condition => ({
    byIndex: () => all().where(indexed),
    check: (query) => query.where(unindexed),
    isRare,
  });

  const equals = (column: "integration_id" | "integration_identifier", value: string): Condition =>
    condition(sql<boolean>`${sql.ref(column)} = ${value}`, sql<boolean>`${sql.ref(column)} || '' = ${value}`);

  /** The index covers only a prefix. */
  const externalId = (value: string | null): Condition =>
    value === null
      ? condition(
          sql<boolean>`(external_id is null and substr(external_id, 1, 255) is null)`,
          sql<boolean>`external_id is null`,
        )
      : condition(
          sql<boolean>`(external_id = ${value} and substr(external_id, 1, 255) = substr(${value}, 1, 255))`,
          sql<boolean>`external_id = ${value}`,
          true,
        );

  /**
   * Credentials that no configured key can decrypt are shown as invalid too. There are none unless another process has
   * a key that this one does not have; each key is noted before it is used.
   */
  async function validity(isValid: boolean): Promise<Condition> {
    const configured = keyring.ids();
    const known = await database.selectFrom("encryption_keys").select("id").execute();
    if (known.every(({ id }) => configured.includes(id))) {
      const value = sql.lit(Number(isValid));
      return condition(sql<boolean>`is_valid = ${value}`, sql<boolean>`+is_valid = ${value}`);
    }
    // No index has the keys: each refreshed token would have to be written to it.
    const prefixes = configured.map(keyPrefix);
    const readable = sql<boolean>`substr(credentials, 1, ${prefixes[0]!.length}) in (${sql.join(prefixes)})`;
    const valid = sql<boolean>`(is_valid = 1 and ${readable})`;
    return condition(isValid ? valid : sql<boolean>`not ${valid}`);
  }

  async function metadata([key, text]: [string, string]): Promise<Condition> {
    // Read first: Postgres knows how frequent a value is, but not what a subquery will return.
    const { term } = await database.selectNoFrom(metadataTerm(key, text).as("term")).executeTakeFirstOrThrow();
    return {
      byIndex: () =>
        database
          .selectFrom("connection_metadata as found")
          // SQLite keeps the order of a cross join.
          .crossJoin("connections")
          .whereRef("connections.id", "=", "found.connection_id")
          .where("found.workspace_id", "=", workspaceId)
          .where("found.term", "=", term) as unknown as Connections,
      // For each row, by the whole primary key: Postgres would turn `exists` into a join with every row of the term.
      check: (query) =>
        query.where(({ eb, selectFrom }) =>
          eb(
            selectFrom("connection_metadata as other")
              .select(sql.lit(1).as("one"))
              .where("other.workspace_id", "=", workspaceId)
              .where("other.term", "=", term)
              .whereRef("other.created_at", "=", "connections.created_at")
              .whereRef("other.connection_id", "=", "connections.id")
              .limit(1),
            "=",
            1,
          ),
        ),
      order: METADATA_ORDER,
    };
  }

  const { ids, integration_id, integration_identifier, external_id, is_valid } = filter;
  const conditions = [
    ...(ids ? [condition(sql`connections.id in (${sql.join(ids)})`, undefined, true)] : []),
    ...(external_id === undefined ? [] : [externalId(external_id)]),
    ...(await Promise.all(Object.entries(filter.metadata ?? {}).map(metadata))),
    ...(is_valid === undefined ? [] : [await validity(is_valid)]),
    ...(integration_id === undefined ? [] : [equals("integration_id", integration_id)]),
    ...(integration_identifier === undefined ? [] : [equals("integration_identifier", integration_identifier)]),
  ];

  async function count({ byIndex }: Condition): Promise<number> {
    const some = byIndex().select(sql.lit(1).as("one")).limit(MAX_COUNTED).as("some");
    const counted = await database
      .selectFrom(some)
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    return Number(counted.count);
  }

  async function rarest(): Promise<Condition | undefined> {
    const rare = conditions.find(({ isRare }) => isRare);
    if (rare || conditions.length < 2) return rare ?? conditions[0];
    const counts = await Promise.all(conditions.map(count));
    return conditions[counts.indexOf(Math.min(...counts))];
  }

  const first = await rarest();
  const others = conditions.filter((one) => one !== first);
  const query = others.reduce((narrowed, { check }) => check(narrowed), first ? first.byIndex() : all());
  return { query, order: first?.order ?? LIST_ORDER };
}
