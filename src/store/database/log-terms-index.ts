// An index of the terms of the request log's batches, for Postgres: see `LogTerms`.
import { type RawBuilder, sql } from "kysely";

/** The only term of a batch of an earlier version, which has no spaces between them: it may have every term. */
const UNKNOWN = "?";

export const logTermsIndex = {
  // Its cost keeps Postgres from calling it for every batch: their terms would have to be read.
  function: `create function log_batch_terms(terms text) returns text[] language plpgsql immutable strict cost 100000 as $$
    begin
      return case when terms like '% %' then string_to_array(terms, ' ') else array['${UNKNOWN}'] end;
    end $$`,
  // Compared byte by byte, which takes less than by the rules of a language.
  on: `using gin ((log_batch_terms(terms) collate "C"))`,
};

export const postgresLogTerms = (any: readonly string[]): RawBuilder<boolean> =>
  sql`log_batch_terms(terms) collate "C" && array[${sql.join([...any, UNKNOWN])}]`;
