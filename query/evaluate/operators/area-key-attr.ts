import { countyCounterpart } from '../../../datasets/codes/crosswalk.ts';
import { columnsOf } from '../../../datasets/grammar/condition.ts';
import type { Expression } from '../../../datasets/grammar/expression.ts';
import { layerWords, nameOf } from '../../../datasets/layer-words.ts';
import type { Partition } from '../../../datasets/release.ts';
import type { LayerAt } from '../../release/coverage.ts';
import { Fault, Interrupted } from '../../release/fault.ts';
import { after, type MaybePromise } from '../../release/maybe-promise.ts';
import type { Release } from '../../release/open-release.ts';
import { readAhead, type TableRow } from '../../release/table.ts';
import { aggregate } from '../aggregate.ts';
import { AREA_KEYS, type AreaKey, areaKey, type KeyedArea, keyWords, otherCensus, partsOf } from '../area-key.ts';
import { standardError, surveyNumber } from '../assurance/spread.ts';
import { confidenceOf } from '../confidence.ts';
import { type Batch, type Context, definitionOf, type Operator, type Question, testOf } from '../context.ts';
import { edgesOfBatch } from '../edge/batch-edges.ts';
import { withNear } from '../edge/near-area.ts';
import { absent, capped, citationsOf, type Finding, orFailed } from '../finding.ts';
import { keyColumnOf, readKeyed, rowsFilesOf, tableKey } from '../keyed-rows.ts';
import { partitionNumber } from '../partition-numbers.ts';
import { published, publishedFinding } from '../published.ts';
import { absentFor } from '../rejected/guarded.ts';
import { anyRejected, rejectedFor } from '../rejected/rejected.ts';
import { lackingReason } from '../unpublished.ts';
import { rowsOfUtility, UTILITY_COLUMNS } from '../utility-rates.ts';
import { BatchPolygons } from '../vector/batch-polygons.ts';
import { searchesOf, seedCoverage } from '../vector/batch-search.ts';
import { undecided } from '../vector/doubt.ts';
import { openRows } from '../vector/open-rows.ts';
import { requireColumns, type Search, searchOf } from '../vector/vector-search.ts';

/** The answer of one area, the same at every point of it that the same partitions cover. */
async function lookup(
  ctx: Context,
  call: Expression,
  { rule, type, unit }: Question,
  search: Search,
  key: KeyedArea,
): Promise<Finding> {
  const source = call.sources[0]!;
  const column = call.argument!;
  const keyName = String(call.options.key);
  const confidence = capped(confidenceOf(rule), key.partitions);
  const keyNotes = citationsOf(key.partitions).notes.map(note => `${keyWords(keyName)}: ${note}`);
  const utility = keyName === 'zcta_utility' ? key.key.split(' ')[1]! : null;
  const columns = [column, ...columnsOf(call.where), ...(utility === null ? [] : UTILITY_COLUMNS)];
  const words = layerWords(source, search.at.covering);
  const keyColumn = keyColumnOf(ctx, call);
  const rowsAt = (text: string) => readKeyed(ctx, search.partitions.all, keyColumn, text, columns, nameOf(source));

  let { rows, partitions } = await rowsAt(tableKey(keyName, key.key));
  if (!rows.length && keyName === 'county_fips') {
    // A table of another vintage may know the county under its other code.
    const counterpart = countyCounterpart(key.key);
    if (counterpart) {
      ({ rows, partitions } = await rowsAt(counterpart));
      if (rows.length) keyNotes.push(`county ${key.key} is ${counterpart} in this table's vintage`);
    }
    if (!rows.length && counterpart !== undefined)
      return absent(
        `county ${key.key} has no one-to-one counterpart in the vintage of ${words}`,
        confidence,
        partitions,
      );
  }
  const lost = anyRejected(search.at.version)
    ? await rejectedFor(ctx, source, search, call.where, { column: keyColumn, value: tableKey(keyName, key.key) })
    : null;
  if (lost) return absentFor(lost, { rule });
  for (const partition of partitions) {
    const reason = otherCensus(keyName, key.partitions[0]!, partition);
    if (reason) return absent(reason, confidence, partitions);
  }
  const silent = partitions.find(p => p.unpublished.includes(column));
  if (silent) return absent(lackingReason(silent, column), confidence, partitions);
  const served = utility === null ? null : rowsOfUtility(rows, utility);
  const chosen = (served?.rows ?? rows).filter(testOf(ctx, call.where));
  const notes = [...search.notes, ...keyNotes, ...(served?.notes ?? [])];
  const agg = served?.notes.length ? 'mean' : call.options.agg;
  if (!agg && chosen.length > 1)
    throw new Fault(
      `${words} has ${chosen.length} rows for ${keyName} ${key.key} where one was expected: its schema changed`,
    );
  if (!agg && !chosen.length)
    return absent(`no row of ${words} is for ${keyWords(keyName, key.key)}`, confidence, partitions);
  const missing = (value: Parameters<typeof published>[0]) =>
    'reason' in published(value, { ...call, options: {} }, null, column);
  const aggregated = (some: readonly TableRow[]) => aggregate(String(agg), some, column, missing);
  const open = agg ? openRows(ctx, call, served?.rows ?? rows, aggregated, chosen) : 0;
  if (open) {
    const some = open === 1 ? 'one row' : `${open} rows`;
    const reason = `${some} of ${words} for ${keyWords(keyName, key.key)} may or may not count`;
    return absent(`${reason}: ${undecided(call.where!)}`, confidence, partitions);
  }
  const raw = agg ? aggregated(chosen) : chosen[0]![column];
  const of = keyWords(keyName, key.key);
  if (agg && (raw === null || raw === undefined))
    return absent(`no row of ${words} has a value (${column}) for ${of}`, confidence, partitions);
  const result = published(raw, call, type, column);
  const layer = definitionOf(ctx, source);
  const explainedBy = layer.kind === 'table' ? layer.columns[column]?.explainedBy : undefined;
  const told = explainedBy && !agg && (raw === null || raw === undefined) ? chosen[0]![explainedBy] : null;
  const said = told && 'reason' in result ? { reason: `${result.reason}: ${told} (${explainedBy})` } : result;
  const margin = layer.kind === 'table' && !agg ? chosen[0]![layer.columns[column]?.margin ?? ''] : null;
  const survey = surveyNumber({ rule, unit }, said, standardError(margin, call));
  const sure = survey ? capped(survey.confidence, key.partitions) : confidence;
  const finding = publishedFinding(said, sure, partitions, [...(survey?.notes ?? []), ...notes], column);
  return survey ? { ...finding, spread: survey.spread } : finding;
}

/** An answer of an area, and the files that it rests on as they were verified. */
interface Answered {
  readonly question: Question;
  readonly partitions: readonly Partition[];
  readonly ids: readonly string[];
  readonly finding: Finding;
}

/** What was answered of one area in one release. */
class AnsweredArea {
  readonly answers = new Map<Expression, Answered>();
  bytes = 400;
}

/** Partitions by their numbers: a place may have several of one key. Those that only cite are told by what they say. */
function textOf(release: Release, partitions: readonly Partition[]): string {
  const one = (partition: Partition) => {
    const { source, url, vintage, note } = partition.provenance;
    return partitionNumber(release, partition) ?? JSON.stringify([source, url, vintage, note]);
  };
  return partitions.map(partition => `\n${one(partition)}`).join('');
}
const areaTexts = new WeakMap<KeyedArea, { readonly at: LayerAt; readonly release: Release; readonly text: string }>();

/** What tells areas apart: the key, and the partitions that hold it and whose coverage of the table holds the point. */
function areaOf(release: Release, { at }: Search, area: KeyedArea): string {
  let cached = areaTexts.get(area);
  if (cached?.at !== at || cached.release !== release) {
    const text = `area ${release.id} ${area.key}${textOf(release, area.partitions)}${textOf(release, at.covering)}`;
    cached = { at, release, text };
    areaTexts.set(area, cached);
  }
  return cached.text;
}

/** As lookup, kept in the worker's cache as long as the files are what they were: every one of them is looked at. */
function answerOf(
  ctx: Context,
  call: Expression,
  question: Question,
  search: Search,
  area: KeyedArea,
): MaybePromise<Finding> {
  const { layers } = ctx;
  const text = areaOf(layers.release, search, area);
  // Rows of a table have no place: all its partitions are looked in.
  const partitions = search.partitions.all;
  return after(layers.allVerified(rowsFilesOf(ctx, search)), verified => {
    const cached = (layers.cache.get(text) as AnsweredArea | undefined)?.answers.get(call);
    const same = ({ id }: { readonly id: string }, i: number) =>
      cached!.partitions[i] === partitions[i] && cached!.ids[i] === id;
    if (cached?.question === question && cached.ids.length === verified.length && verified.every(same))
      return cached.finding;
    return lookup(ctx, call, question, search, area).then(finding => {
      const kept = (layers.cache.get(text) as AnsweredArea | undefined) ?? new AnsweredArea();
      const ids = verified.map(({ id }) => id);
      if (!kept.answers.has(call)) kept.bytes += 600;
      kept.answers.set(call, { question, partitions, ids, finding });
      layers.cache.set(text, kept, kept.bytes);
      return finding;
    });
  });
}

const partitionsOf = (key: AreaKey): readonly Partition[] => ('key' in key ? key.partitions : key.covering);

/** What is answered of the area that a key names, no surer than the areas about it allow. */
function answeredFor(
  ctx: Context,
  call: Expression,
  question: Question,
  search: Search,
  key: AreaKey,
): MaybePromise<Finding> {
  const own =
    'reason' in key
      ? absent(key.reason, confidenceOf(question.rule), key.covering)
      : answerOf(ctx, call, question, search, key);
  return after<Finding, Finding>(own, finding =>
    withNear(finding, key.near, question.rule, there =>
      answerOf(ctx, call, question, search, { key: there, partitions: partitionsOf(key) }),
    ),
  );
}

/** What stands before the lookup: the partitions of the table and the area key of the point. */
function keyAt(ctx: Context, call: Expression): MaybePromise<{ search: Search; key: AreaKey }> {
  keyColumnOf(ctx, call);
  const source = call.sources[0]!;
  return after(searchOf(ctx, source, call.where), (search): MaybePromise<{ search: Search; key: AreaKey }> => {
    if (search.absent) return { search, key: { reason: search.absent, covering: search.at.covering } };
    requireColumns(search.at, source, [call.argument!]);
    return after(areaKey(ctx, String(call.options.key)), key => ({ search, key }));
  });
}

/** The area keys of all points, from polygons searched together; what fails here fails again where a key is asked for. */
function findKeys(batch: Batch, keyName: string): Promise<void> {
  return batch.memo(`areas ${keyName}`, async () => {
    for (const part of partsOf(keyName)) {
      const source = AREA_KEYS[part];
      if (!source) return;
      await seedCoverage(batch, source);
      const polygons = await BatchPolygons.meeting(batch, source, null);
      const edges = await edgesOfBatch(batch, source, null);
      for (const [i, ctx] of batch.contexts.entries())
        try {
          await areaKey(ctx, part, {
            within: search => polygons(i, search),
            edges: search => edges(i, search),
          });
        } catch (error) {
          ignore(error);
        }
    }
  });
}

/**
 * The area key of every point of a batch, one object for all points of an area, or what failed: what is stored of a parcel
 * instead of a table's values. Found once a batch.
 */
export function areaKeysOf(batch: Batch, keyName: string): Promise<readonly (AreaKey | { readonly error: unknown })[]> {
  return batch.memo(`area keys ${keyName}`, async () => {
    try {
      await findKeys(batch, keyName);
    } catch (error) {
      ignore(error);
    }
    const seen = new Map<string, AreaKey>();
    const keys: (AreaKey | { readonly error: unknown })[] = [];
    for (const ctx of batch.contexts) {
      try {
        const key = await areaKey(ctx, keyName);
        const { release } = batch.layers;
        const partitions = partitionsOf(key);
        const near = key.near ? JSON.stringify(key.near) : '';
        const text = ('key' in key ? key.key : ` ${key.reason}`) + textOf(release, partitions) + near;
        const same = seen.get(text) ?? key;
        seen.set(text, same);
        keys.push(same);
      } catch (error) {
        ignore(error);
        keys.push({ error });
      }
    }
    return keys;
  });
}

function ignore(error: unknown): void {
  if (error instanceof Interrupted) throw error;
}

/** Stands for the key of a point outside the table's coverage, and for the answer of an area that is to be looked up. */
const OUTSIDE: AreaKey = { reason: 'outside', covering: [] };
const PENDING: Finding = absent('pending', 'low', []);

/**
 * Column of the table row whose area holds the point, or with `agg` an aggregate of the rows that share the area. The
 * area key is read from the polygon at the point: the smallest, then the smaller join key.
 *
 * Decided here:
 * - Keys are compared as text. A county that the table knows under the code of another vintage joins through the dated
 *   crosswalk of datasets/codes/crosswalk.ts where that is one to one; where it is not the value is absent.
 * - Of the ZIP area's rows the serving utility's answers: its bundled service, else its delivery. Where it is not listed
 *   the value is the unweighted mean of the ZIP area's bundled rows, and a note says so.
 * - Tracts and blocks of one census are never looked up in a table of another: absent, saying so.
 * - Where the polygon, or a row for its key, was rejected at ingest, the value is absent, with the reason.
 * - Without `agg` no row is absent, and several rows fail as a change of schema. With it missing values and sentinels are
 *   skipped; sums and counts of none are 0 and `any` false, other aggregates of none absent; `latest` goes by the column
 *   Year.
 * - Where a row does not tell whether it meets the condition (the value that decides is empty, or a code for unknown) and
 *   the aggregate would change with it, the answer is absent. `any` is true as soon as one row is known to meet it.
 * - The notes have the margin of error beside the value; the rule cv goes by it (90 percent: 1.645 standard errors).
 * - Rows come from all partitions of the table, and those that hold some are cited; the note of the polygon's own source
 *   is added under the key's name.
 * - Near the edge of an area the value is as sure as in polygon_attr: where the table says another thing of the area beyond,
 *   or none is there. An area of which it says the same decides nothing.
 *
 * Cost: one point-in-polygon search a key (log n) and the edges about the point, then one DuckDB query a table and key, which reads the row groups
 * of the Parquet file whose key column may hold it; rows are kept by file and key. In bulk one query a table for all
 * distinct keys, and one answer an area.
 */
export const operator: Operator = {
  name: 'area_key_attr',
  point: (ctx, call, question) =>
    after(keyAt(ctx, call), ({ search, key }) => answeredFor(ctx, call, question, search, key)),
  async bulk(batch, call, question) {
    const keyName = String(call.options.key);
    const column = keyColumnOf(batch.contexts[0]!, call);
    const keys = await areaKeysOf(batch, keyName);
    const areas: { ctx: Context; search: Search; key: AreaKey; points: number[] }[] = [];
    const seen = new Map<Search, Map<AreaKey, Finding | number[]>>();
    const out = [
      ...(await searchesOf(batch, call.sources[0]!, call.where, [], (ctx, search, i) => {
        if (!search.absent) requireColumns(search.at, call.sources[0]!, [call.argument!]);
        const key = search.absent ? OUTSIDE : keys[i]!;
        if ('error' in key) throw key.error;
        let ofSearch = seen.get(search);
        if (!ofSearch) {
          ofSearch = new Map();
          seen.set(search, ofSearch);
        }
        let at = ofSearch.get(key);
        if (at === undefined) {
          if (search.absent) at = absent(search.absent, confidenceOf(question.rule), search.at.covering);
          else if ('reason' in key && !key.near) at = absent(key.reason, confidenceOf(question.rule), key.covering);
          else {
            at = [];
            areas.push({ ctx, search, key, points: at });
          }
          ofSearch.set(key, at);
        }
        if (!Array.isArray(at)) return at;
        at.push(i);
        return PENDING;
      })),
    ];
    const keysOf = new Map<Partition, string[]>();
    for (const { search, key } of areas) {
      const ownAndNear = [...('key' in key ? [key.key] : []), ...(key.near ?? []).flatMap(near => near.key ?? [])];
      for (const partition of search.partitions.all)
        keysOf.set(partition, [...(keysOf.get(partition) ?? []), ...ownAndNear.map(one => tableKey(keyName, one))]);
    }
    const { layers } = batch;
    for (const [partition, keys] of keysOf) {
      const file = partition.files.find(f => f.role === 'rows');
      if (file) await readAhead(layers.cache, layers.release, file, column, keys);
    }
    for (const { ctx, search, key, points } of areas) {
      batch.check();
      const finding = await orFailed(() => answeredFor(ctx, call, question, search, key));
      for (const i of points) out[i] = finding;
    }
    return out;
  },
};
