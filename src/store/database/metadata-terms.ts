// The table `connection_metadata` has a row for each value that a connection's metadata has at its top level, in the order
// of the lists, so that a list by a value reads only what it shows. Triggers keep it: whoever writes a connection, also a
// process of an earlier version, writes its rows in the same transaction.
import { type RawBuilder, sql } from "kysely";

/** An index entry in Postgres is limited to 2,700 bytes; a value may be longer. */
const MAX_TERM_LENGTH = 255;

const columns = `
  workspace_id text not null,
  term text not null,
  created_at bigint not null,
  connection_id text not null,
  primary key (workspace_id, term, created_at, connection_id)`;

/**
 * `key:value` of each string, number and boolean. A term may be that of another value too, because it is cut off, and
 * Postgres leaves escapes as they are: the values are compared exactly afterwards.
 */
const sqliteTerms = (row: string) => `
  select ${row}.workspace_id, substr(each.key || ':' || case each.type when 'text' then each.value when 'true' then 'true'
    when 'false' then 'false' else ${row}.metadata -> each.fullkey end, 1, ${MAX_TERM_LENGTH}) as term, ${row}.created_at, ${row}.id
  from json_each(${row}.metadata) as each`;
const areValues = `each.type in ('text', 'integer', 'real', 'true', 'false')`;
// Escapes that JSON allows and text does not (a NUL, half of a surrogate pair) become other text first.
const postgresEach = `json_each(replace(replace(metadata, '\\\\', '\\/\\/'), '\\u', '\\/u')::json)`;
const termOfEach = `left(key || ':' || (value #>> '{}'), ${MAX_TERM_LENGTH})`;
const arePostgresValues = `json_typeof(value) in ('string', 'number', 'boolean')`;
const sqliteInsert = `insert or ignore into connection_metadata (workspace_id, term, created_at, connection_id)`;
const sqliteDelete = `delete from connection_metadata where (workspace_id, term, created_at, connection_id) in`;

export const metadataTable = {
  sqlite: [
    `create table connection_metadata (${columns}) without rowid`,
    `create trigger connection_metadata_insert after insert on connections begin
      ${sqliteInsert} ${sqliteTerms("new")} where ${areValues};
    end`,
    `create trigger connection_metadata_update after update of metadata on connections begin
      ${sqliteDelete} (${sqliteTerms("old")} where ${areValues});
      ${sqliteInsert} ${sqliteTerms("new")} where ${areValues};
    end`,
    `create trigger connection_metadata_delete after delete on connections begin
      ${sqliteDelete} (${sqliteTerms("old")} where ${areValues});
    end`,
    `${sqliteInsert} ${sqliteTerms("connections")}, connections where ${areValues}`,
  ],
  postgres: [
    `create table connection_metadata (${columns})`,
    `create function connection_metadata_terms(metadata text) returns setof text language sql immutable strict as $$
      select ${termOfEach} from ${postgresEach} where ${arePostgresValues}
    $$`,
    `create function connection_metadata_changed() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'INSERT' then
        delete from connection_metadata where workspace_id = old.workspace_id
          and term = any (array(select connection_metadata_terms(old.metadata)))
          and created_at = old.created_at and connection_id = old.id;
      end if;
      if tg_op <> 'DELETE' then
        insert into connection_metadata (workspace_id, term, created_at, connection_id)
          select new.workspace_id, term, new.created_at, new.id from connection_metadata_terms(new.metadata) as term
          on conflict do nothing;
      end if;
      return null;
    end $$`,
    `create trigger connection_metadata_changed after insert or update of metadata or delete on connections
      for each row execute function connection_metadata_changed()`,
  ],
};

/** On Postgres: adds the rows of the next connections after an id, and returns the last id. */
export const fillMetadata = `
  with next as (select * from connections where id > $1 order by id limit 1000 for share),
    added as (
      insert into connection_metadata (workspace_id, term, created_at, connection_id)
      select workspace_id, ${termOfEach}, created_at, id from next, ${postgresEach} where ${arePostgresValues}
      on conflict do nothing
    )
  select max(id) as last from next`;

const asJson = (key: string, text: string) => JSON.stringify({ [key]: text });

/** What a value is found by: the term of a string, which is that of a number or a boolean too. */
export const sqliteTerm = (key: string, text: string): RawBuilder<string> =>
  sql`(select substr(key || ':' || value, 1, ${sql.lit(MAX_TERM_LENGTH)}) from json_each(${asJson(key, text)}))`;
export const postgresTerm = (key: string, text: string): RawBuilder<string> =>
  sql`(select connection_metadata_terms(${asJson(key, text)}))`;
