import { type DuckDBConnection, VARCHAR } from '@duckdb/node-api';
import { DamagedFile } from '../query/damage.ts';
import { FeatureFile } from '../query/flatgeobuf.ts';
import { geometryHash } from './parcel-shape.ts';

/**
 * Stacks, keys and order of a county's parcels, in one statement over `rows` (see Parcels) and `previous` (key, number,
 * geometry hash of the release before).
 *
 * A key is county and number; where the number repeats or is missing, also the source's object id, or else a hash of the
 * normalised geometry. A parcel of the release before keeps its key (decisions.md, Parcels): first of equal number and
 * geometry, then the one that the rule gives the same key, then the only one left of its number on both sides. A parcel
 * that is new never takes the key of another one: it gets the longer form instead. Rows equal in all of that are
 * numbered in file order.
 *
 * Joins are on equality alone: with another condition beside it DuckDB compares every row with every other one.
 */
export const ORDERED = `
  WITH counted AS (
    SELECT *, count(*) OVER (PARTITION BY c1) AS stack, count(*) OVER (PARTITION BY c2) AS repeats,
      row_number() OVER (PARTITION BY c2, c1 ORDER BY c0) AS copy FROM rows
  ), named AS (
    SELECT *, $county || ':' || coalesce(c2, '') AS short,
      $county || ':' || coalesce(c2, '') || CASE WHEN c3 IS NULL THEN ':g' || c1[1:16] ELSE ':o' || c3 END AS long,
      CASE WHEN c2 IS NOT NULL AND repeats = 1 THEN short ELSE long END AS name
    FROM counted
  ), same AS (
    SELECT named.*, p.key AS k1 FROM named LEFT JOIN (
      SELECT *, row_number() OVER (PARTITION BY number, hash ORDER BY key) AS copy FROM previous
    ) p ON p.number IS NOT DISTINCT FROM c2 AND p.hash = c1 AND p.copy = named.copy
  ), ruled AS (
    SELECT same.*, p.key AS k2,
      CASE WHEN k1 IS NULL THEN row_number() OVER (PARTITION BY name, k1 IS NULL ORDER BY c0) END AS turn
    FROM same LEFT JOIN (SELECT key FROM previous ANTI JOIN same ON previous.key = same.k1) p
      ON p.key = CASE WHEN k1 IS NULL THEN name END
  ), known AS (
    SELECT *, coalesce(k1, CASE WHEN turn = 1 THEN k2 END) AS kept FROM ruled
  ), left_over AS (
    SELECT number, min(key) AS key FROM previous ANTI JOIN known ON previous.key = known.kept
    WHERE number IS NOT NULL GROUP BY number HAVING count(*) = 1
  ), lone AS (
    SELECT c2 AS number FROM known WHERE kept IS NULL AND c2 IS NOT NULL GROUP BY c2 HAVING count(*) = 1
  ), carried AS (
    SELECT known.*, coalesce(kept, left_over.key) AS old FROM known
    LEFT JOIN lone ON lone.number = CASE WHEN kept IS NULL THEN c2 END
    LEFT JOIN left_over ON left_over.number = lone.number
  ), fresh AS (
    SELECT carried.*, CASE
      WHEN old IS NOT NULL THEN old
      WHEN name NOT IN (SELECT key FROM previous) THEN name
      WHEN long NOT IN (SELECT key FROM previous) THEN long
      ELSE long || ':g' || c1 END AS base
    FROM carried
  ), numbered AS (
    SELECT *, row_number() OVER (PARTITION BY base ORDER BY old IS NULL, c0) AS times FROM fresh
  )
  SELECT c6::DOUBLE AS place, c7::INTEGER AS size, stack::INTEGER AS stack,
    CASE WHEN times = 1 THEN base ELSE base || ':' || times END AS key
  FROM numbered ORDER BY c4, c5, key`;

/**
 * Fills `previous` with the parcels of a county's file of the release before.
 * @param path of its FlatGeobuf; null where there was none.
 */
export async function loadPrevious(db: DuckDBConnection, path: string | null): Promise<void> {
  await db.run('CREATE TEMP TABLE previous (key VARCHAR, number VARCHAR, hash VARCHAR)');
  if (path === null) return;
  let file: FeatureFile;
  try {
    file = new FeatureFile(path);
  } catch (error) {
    // A refresh is how a damaged release is mended; the rule gives nearly all parcels the key they had.
    if (error instanceof DamagedFile) return;
    throw error;
  }
  const appender = await db.createAppender('previous', null, 'temp');
  try {
    const pick = file.columnPick(['parcel_key', 'apn']);
    for (let i = 0; i < file.count; i++) {
      const { parcel_key, apn } = file.pick(i, pick);
      if (typeof parcel_key !== 'string') continue;
      const values = [
        parcel_key,
        apn === null || apn === undefined ? null : String(apn),
        geometryHash(file.geometry(i)),
      ];
      for (const value of values) appender.appendValue(value, VARCHAR);
      appender.endRow();
    }
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error;
  } finally {
    appender.closeSync();
    file.close();
  }
}
