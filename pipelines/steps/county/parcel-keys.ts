import { type DuckDBAppender, type DuckDBConnection, INTEGER, VARCHAR } from '@duckdb/node-api';
import { geometryHash } from './parcel-shape.ts';
import { type StoredParcel, type StoredParcels, storedParcels } from './stored-parcels.ts';

/**
 * Stacks, keys and order of a county's parcels, in one statement over `rows` (see Parcels), `previous` (key, number,
 * geometry hash of what the place had in the release before), `ended` (the same of what was gone there already), `taken`
 * (every key of both and of the rest of the county), `twins` (keys of rows that share number and shape, see pairStacks) and `stacks`.
 *
 * A key is county and number; where the number repeats or is missing, also the source's object id, or else a hash of the
 * normalised geometry. A parcel of the release before keeps its key, so that cursors and notes of callers go on meaning it:
 * first of equal number and geometry, then the one that the rule gives the same key, then the only one left of its number on
 * both sides, then the only one left of its exact geometry on both sides, which was given another number. A parcel
 * that is new never takes the key of another one, nor of one that is gone: it gets the longer form instead. One that comes back
 * with the number and the geometry that it had is no new one. New rows equal in all of that are numbered in file order, with numbers
 * that no key has. Parcels of other places, taken over as they are, keep theirs.
 *
 * Joins are on equality alone: with another condition beside it DuckDB compares every row with every other one.
 */
export const ORDERED = `
  WITH counted AS (
    SELECT *, count(*) OVER (PARTITION BY c1) AS stack, count(*) OVER (PARTITION BY c2) AS repeats,
      count(*) OVER (PARTITION BY c2, c1) AS twin, count(*) OVER (PARTITION BY c2, c1, c8 IS NULL) AS copies FROM rows
  ), named AS (
    SELECT *, $county || ':' || coalesce(c2, '') AS short,
      $county || ':' || coalesce(c2, '') || CASE WHEN c3 IS NULL THEN ':g' || c1[1:16] ELSE ':o' || c3 END AS long,
      CASE WHEN c2 IS NOT NULL AND repeats = 1 THEN short ELSE long END AS name
    FROM counted
  ), same AS (
    SELECT named.*, coalesce(c8, t.key, p.key) AS k1, coalesce(t.ranked, 0) AS by_rank
    FROM named LEFT JOIN twins t ON t.row = c0 LEFT JOIN (
      SELECT number, hash, min(key) AS key FROM (
        SELECT key, number, hash FROM previous UNION ALL SELECT key, number, hash FROM ended
      ) GROUP BY number, hash HAVING count(*) = 1
    ) p ON p.number IS NOT DISTINCT FROM c2 AND p.hash = CASE WHEN c8 IS NULL AND copies = 1 THEN c1 END
  ), ruled AS (
    SELECT same.*, p.key AS k2,
      CASE WHEN k1 IS NULL THEN row_number() OVER (PARTITION BY name, k1 IS NULL ORDER BY c0) END AS turn
    FROM same LEFT JOIN (SELECT key FROM previous ANTI JOIN same ON previous.key = same.k1) p
      ON p.key = CASE WHEN k1 IS NULL THEN name END
  ), matched AS (
    SELECT *, coalesce(k1, CASE WHEN turn = 1 THEN k2 END) AS kept FROM ruled
  ), left_over AS (
    SELECT number, min(key) AS key FROM previous ANTI JOIN matched ON previous.key = matched.kept
    WHERE number IS NOT NULL GROUP BY number HAVING count(*) = 1
  ), single AS (
    SELECT c2 AS number FROM matched WHERE kept IS NULL AND c2 IS NOT NULL GROUP BY c2 HAVING count(*) = 1
  ), numbers AS (
    SELECT matched.*, coalesce(kept, left_over.key) AS told FROM matched
    LEFT JOIN single ON single.number = CASE WHEN kept IS NULL THEN c2 END
    LEFT JOIN left_over ON left_over.number = single.number
  ), shape_left AS (
    SELECT hash, min(key) AS key FROM previous ANTI JOIN numbers ON previous.key = numbers.told
    WHERE hash IS NOT NULL GROUP BY hash HAVING count(*) = 1
  ), shape_single AS (
    SELECT c1 AS hash FROM numbers WHERE told IS NULL AND c8 IS NULL GROUP BY c1 HAVING count(*) = 1
  ), carried AS (
    SELECT numbers.*, coalesce(told, shape_left.key) AS old FROM numbers
    LEFT JOIN shape_single ON shape_single.hash = CASE WHEN told IS NULL AND c8 IS NULL THEN c1 END
    LEFT JOIN shape_left ON shape_left.hash = shape_single.hash
  ), fresh AS (
    SELECT carried.*, CASE
      WHEN old IS NOT NULL THEN old
      WHEN name NOT IN (SELECT key FROM taken) THEN name
      WHEN long NOT IN (SELECT key FROM taken) THEN long
      ELSE long || ':g' || c1 END AS base
    FROM carried
  ), crowded AS (
    SELECT *, base IN (SELECT key FROM taken) AS is_taken,
      row_number() OVER (PARTITION BY base, old IS NULL ORDER BY c0) AS times FROM fresh
  ), spent AS (
    SELECT regexp_extract(key, '^(.*):([0-9]{1,9})$', 1) AS base, max(regexp_extract(key, '([0-9]+)$', 1)::BIGINT) AS most
    FROM taken WHERE regexp_matches(key, ':[0-9]{1,9}$') GROUP BY 1
  ), keyed AS (
    SELECT crowded.*, CASE
      WHEN old IS NOT NULL OR (times = 1 AND NOT is_taken) THEN crowded.base
      ELSE crowded.base || ':' || (greatest(coalesce(most, 1), 1) + times - CASE WHEN is_taken THEN 0 ELSE 1 END) END AS key
    FROM crowded LEFT JOIN spent ON spent.base = CASE WHEN old IS NULL AND (times > 1 OR is_taken) THEN crowded.base END
  )
  SELECT c6::DOUBLE AS place, c7::INTEGER AS size, stack::INTEGER AS stack, keyed.key AS key,
    CASE WHEN twin > 1 THEN coalesce(c3, s.id) END AS id, (by_rank + coalesce(s.ranked, 0))::INTEGER AS ranked
  FROM keyed LEFT JOIN (SELECT key, max(id) AS id, sum(ranked) AS ranked FROM stacks GROUP BY key) s ON s.key = keyed.key
  ORDER BY c4, c5, keyed.key`;

/**
 * Fills `previous` with the parcels of the release before that are read anew, and `taken` with all keys, including those in `ended`.
 * @param take is called with each parcel that is taken over and its key. The key is null if another parcel has it, which was
 *   possible when each file of a county was stored separately.
 * @throws LayerError when a parcel that is taken over cannot be read.
 */
export async function loadPrevious(
  db: DuckDBConnection,
  before: readonly StoredParcels[],
  take: (parcel: StoredParcel, key: string | null) => void,
): Promise<void> {
  await db.run('CREATE TEMP TABLE previous (key VARCHAR, number VARCHAR, hash VARCHAR, file INTEGER, ord INTEGER)');
  await db.run('CREATE TEMP TABLE taken AS SELECT key FROM ended');
  const previous = await db.createAppender('previous', null, 'temp');
  const taken = await db.createAppender('taken', null, 'temp');
  const kept = before.length > 1 ? new Set<string>() : null;
  const append = (to: DuckDBAppender, values: readonly (string | null)[], place: readonly number[] = []) => {
    for (const value of values) to.appendValue(value, VARCHAR);
    for (const value of place) to.appendValue(value, INTEGER);
    to.endRow();
  };
  try {
    for (const [file, stored] of before.entries())
      for (const { key, part, number, ord, parcel } of storedParcels(stored)) {
        if (key !== null) append(taken, [key]);
        if (part === null) {
          if (key !== null) append(previous, [key, number, geometryHash(parcel.geometry)], [file, ord]);
          continue;
        }
        const own = key !== null && !kept?.has(key) ? key : null;
        if (own !== null) kept?.add(own);
        take(parcel, own);
      }
  } finally {
    previous.closeSync();
    taken.closeSync();
  }
}
