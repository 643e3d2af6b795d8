import { type DuckDBAppender, type DuckDBConnection, VARCHAR } from '@duckdb/node-api';
import { geometryHash } from './parcel-shape.ts';
import { type StoredParcel, type StoredParcels, storedParcels } from './stored-parcels.ts';

/**
 * Stacks, keys and order of a county's parcels, in one statement over `rows` (see Parcels), `previous` (key, number,
 * geometry hash of what the place had in the release before), `ended` (the same of what was gone there already) and `taken`
 * (every key of both and of the rest of the county).
 *
 * A key is county and number; where the number repeats or is missing, also the source's object id, or else a hash of the
 * normalised geometry. A parcel of the release before keeps its key, so that cursors and notes of callers go on meaning it:
 * first of equal number and geometry, then the one that the rule gives the same key, then the only one left of its number on
 * both sides, then the only one left of its exact geometry on both sides, which was given another number. A parcel
 * that is new never takes the key of another one, nor of one that is gone: it gets the longer form instead. One that comes back
 * with the number and the geometry that it had is no new one. Rows equal in all of that are
 * numbered in file order. Parcels of other places, taken over as they are, keep theirs.
 *
 * Joins are on equality alone: with another condition beside it DuckDB compares every row with every other one.
 */
export const ORDERED = `
  WITH counted AS (
    SELECT *, count(*) OVER (PARTITION BY c1) AS stack, count(*) OVER (PARTITION BY c2) AS repeats,
      row_number() OVER (PARTITION BY c2, c1, c8 IS NULL ORDER BY c0) AS copy FROM rows
  ), named AS (
    SELECT *, $county || ':' || coalesce(c2, '') AS short,
      $county || ':' || coalesce(c2, '') || CASE WHEN c3 IS NULL THEN ':g' || c1[1:16] ELSE ':o' || c3 END AS long,
      CASE WHEN c2 IS NOT NULL AND repeats = 1 THEN short ELSE long END AS name
    FROM counted
  ), same AS (
    SELECT named.*, coalesce(c8, p.key) AS k1 FROM named LEFT JOIN (
      SELECT *, row_number() OVER (PARTITION BY number, hash ORDER BY gone, key) AS copy
      FROM (SELECT *, false AS gone FROM previous UNION ALL SELECT *, true FROM ended)
    ) p ON p.number IS NOT DISTINCT FROM c2 AND p.hash = CASE WHEN c8 IS NULL THEN c1 END AND p.copy = named.copy
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
  ), numbered AS (
    SELECT *, row_number() OVER (PARTITION BY base ORDER BY old IS NULL, c0) AS times FROM fresh
  )
  SELECT c6::DOUBLE AS place, c7::INTEGER AS size, stack::INTEGER AS stack,
    CASE WHEN times = 1 THEN base ELSE base || ':' || times END AS key
  FROM numbered ORDER BY c4, c5, key`;

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
  await db.run('CREATE TEMP TABLE previous (key VARCHAR, number VARCHAR, hash VARCHAR)');
  await db.run('CREATE TEMP TABLE taken AS SELECT key FROM ended');
  const previous = await db.createAppender('previous', null, 'temp');
  const taken = await db.createAppender('taken', null, 'temp');
  const kept = before.length > 1 ? new Set<string>() : null;
  const append = (to: DuckDBAppender, values: readonly (string | null)[]) => {
    for (const value of values) to.appendValue(value, VARCHAR);
    to.endRow();
  };
  try {
    for (const stored of before)
      for (const { key, part, number, parcel } of storedParcels(stored)) {
        if (key !== null) append(taken, [key]);
        if (part === null) {
          if (key !== null) append(previous, [key, number, geometryHash(parcel.geometry)]);
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
