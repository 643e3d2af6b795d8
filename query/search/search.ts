import type { Catalog } from '../../datasets/catalog.ts';
import type { Geometry } from '../../datasets/geometry.ts';
import type { Partition } from '../../datasets/release.ts';
import { STATE_FIPS } from '../../datasets/state-fips.ts';
import type { Cache } from '../cache.ts';
import { Calculated } from '../calculated/calculated.ts';
import { DamagedFile } from '../damage.ts';
import { Fault, Interrupted } from '../fault.ts';
import type { FeatureFile } from '../flatgeobuf.ts';
import { type Features, Layers } from '../layer.ts';
import { PARCELS } from '../parcel.ts';
import type { Release } from '../release.ts';
import { judgeAreas } from './area.ts';
import { CalculatedOutputs } from './calculated-outputs.ts';
import { type Candidates, candidates, type Rows } from './candidates.ts';
import { Columns } from './columns.ts';
import { PageEnrichment } from './enrichment.ts';
import { mayLieIn, statesOf, type Test, testsWithin } from './filter.ts';
import { type Handed, handedFeatures } from './handed.ts';
import type { PreparedTest } from './kernel.ts';
import { PageWriter } from './page-writer.ts';
import { type CountyFile, compareCounties, ordAfter, type Position, positionOf } from './position.ts';
import type { CompletionReason, SearchRequest } from './request.ts';
import type { RowTests } from './row-tests.ts';
import { noMatches, type WrittenPage, type WrittenResult } from './written-page.ts';

/** Where a search runs. */
export interface SearchEnvironment {
  /** Null: nothing was published yet. */
  readonly release: Release | null;
  readonly catalog: Catalog;
  readonly cache: Cache;
  /** Epoch milliseconds; matches confirmed by then are returned. */
  readonly deadline: number;
  /** True once nobody waits for the answer. */
  readonly stopped: () => boolean;
  /** Told every candidate that is judged. */
  readonly onJudged?: () => void;
  /** Told at the end how many matches the page has, and how many values could not be computed. */
  readonly onEnd?: (matches: number, failures: number) => void;
  /** What is known already of a search that was weighed, over the same release and cache. */
  readonly weighed?: Weighed;
}

/** A search over what is held in memory and files that are open, known to be sound by a look of lately. */
export interface Weighed {
  readonly layers: Layers;
  /**
   * The tests of a county that is searched; null where it lacks a column, undefined where something is not held: the
   * page ends there and another thread must make it.
   */
  readonly rows: (county: Partition, tests: readonly Test[]) => RowTests | null | undefined;
}

/** Whether the files that a page was read from are still those that were looked at. */
export function unchanged({ layers }: Pick<Weighed, 'layers'>): boolean {
  try {
    layers.requireUnchanged();
    return true;
  } catch (error) {
    if (error instanceof Fault) return false;
    throw error;
  }
}

const STATUS: Readonly<Record<CompletionReason, 'complete' | 'limited' | 'partial'>> = {
  exhausted: 'complete',
  limit_reached: 'limited',
  work_limit: 'limited',
  timeout: 'partial',
  field_data_unavailable: 'partial',
  source_unavailable: 'partial',
};

class TimeUp extends Error {
  override readonly name = 'TimeUp';
}

export interface County extends CountyFile {
  readonly partition: Partition;
}

const STATES = Object.keys(STATE_FIPS);

const countiesBy = new WeakMap<Release, readonly County[]>();

/** Parcel partitions in stored order: of a release the same ones always. */
export function countiesOf(release: Release | null): readonly County[] {
  const known = release ? countiesBy.get(release) : [];
  if (known) return known;
  const counties: County[] = [];
  for (const partition of release?.layer(PARCELS.dataset, PARCELS.layer)?.partitions ?? []) {
    const [state, fips] = partition.key.split('/');
    const file = partition.files.find(f => f.role === 'features');
    if (state && fips && file) counties.push({ partition, state, fips, place: partition.place, file: file.sha256 });
  }
  counties.sort(compareCounties);
  countiesBy.set(release!, counties);
  return counties;
}

/**
 * One page of a search: candidates in stored order, judged one by one until the page is full, and then on to the next
 * candidate, so that `exhausted` is said only when there is none.
 * @throws Interrupted when `stopped` says so.
 */
export async function search(request: SearchRequest, environment: SearchEnvironment): Promise<WrittenResult> {
  const layers =
    environment.weighed?.layers ?? (environment.release ? new Layers(environment.release, environment.cache) : null);
  const handed: Handed | null = request.handOver ? { columns: new Map(), features: [] } : null;
  const matches = new PageWriter(request.outputs, request.countyByFips, request.enrich ?? false);
  environment.cache.enter();
  try {
    const page = await findPage(request, environment, layers, matches, handed);
    if ('issues' in page) return page;
    const written = request.enrich
      ? await enriched(page, matches, environment, layers)
      : { ...page, matches: matches.text(), ...(handed ? { handed } : {}) };
    // Rows are read long after their files were verified. Who weighed a search looks by itself.
    if (environment.weighed || !layers || unchanged({ layers })) return written;
    return {
      ...ended('source_unavailable', request.after ?? startOf(countiesOf(layers.release))),
      matches: noMatches(),
    };
  } finally {
    matches.release();
    environment.cache.leave();
  }
}

/** A page without its matches. */
type End = Omit<WrittenPage, 'matches' | 'handed'>;

const ended = (reason: CompletionReason, next: Position | null): End => ({ status: STATUS[reason], reason, next });

/** Enriches the matches of a page, which stays what it is but for failures: those make it partial. */
async function enriched(
  page: End,
  matches: PageWriter,
  environment: SearchEnvironment,
  layers: Layers | null,
): Promise<WrittenPage> {
  const enrichment = new PageEnrichment({ ...environment, layers: layers! });
  const written = { ...page, matches: await matches.enrichedText((match, out) => enrichment.write(match, out)) };
  if (!enrichment.failures || page.status === 'partial') return written;
  const reason = Date.now() >= environment.deadline ? 'timeout' : 'field_data_unavailable';
  return { ...written, status: STATUS[reason], reason };
}

async function findPage(
  request: SearchRequest,
  environment: SearchEnvironment,
  layers: Layers | null,
  matches: PageWriter,
  handed: Handed | null,
): Promise<End | Extract<WrittenResult, { issues: unknown }>> {
  const { release, cache, deadline, stopped } = environment;
  const { filters, limit, budget } = request;
  const check = () => {
    if (stopped()) throw new Interrupted('nobody waits for the answer');
    if (Date.now() >= deadline) throw new TimeUp();
  };
  const { issues, prepared: areas } = await judgeAreas(filters.areas, budget.maxSquareKm, cache);
  if (issues.length) return { issues };

  const page = (end: CompletionReason, next: Position | null): End => {
    // A time that ran out or a source that failed says more; anything else would hide that values were missing.
    const reason = failures && STATUS[end] !== 'partial' ? 'field_data_unavailable' : end;
    environment.onEnd?.(matches.count, failures);
    return ended(reason, next);
  };
  const counties = countiesOf(release);
  const work = { candidates: 0, evaluated: 0 };
  /** Parcels that a value which could not be computed kept from being judged. */
  let failures = 0;
  // Asked for only where a page ends: the order key of a row must be read.
  let reached = (): Position | null => request.after;
  try {
    for (const county of counties) {
      if (request.after && compareCounties(county, request.after) < 0) continue;
      check();
      const tests = testsWithin(filters.tests, county);
      if (!tests) continue;
      const resumed = request.after !== null && compareCounties(county, request.after) === 0;
      if (!resumed) reached = () => positionOf(county, null, -1);
      const rows = environment.weighed?.rows(county.partition, tests);
      if (environment.weighed && rows === undefined) throw new Fault('not all that this county takes is held');
      // Of a county that no row of can pass nothing need be open.
      if (rows === null || rows?.possible === false) continue;
      const features: Features = await layers!.features(county.partition);
      const parcels = features.file;
      handed?.features.push(handedFeatures(features, layers!, county.partition));
      const after = resumed ? ordAfter(request.after!, county, parcels) : -1;
      let judged = after;
      const here = () => reachedIn(county, parcels, judged);
      const { key, place, provenance } = county.partition;
      const from = { state: county.state, fips: county.fips, key, place, source: provenance.source };
      const calculated = new Calculated(layers!, environment.catalog, county.partition);
      const computed = new CalculatedOutputs(calculated, request.outputs);
      let turns: Turns | null = null;
      try {
        const { batches, undecided } = await candidates({
          parcels,
          columns: new Columns(layers!, calculated, county.partition, parcels.count, check, handed?.columns),
          tests,
          rows: rows ?? null,
          areas,
          after,
          wanted: limit - matches.count + 1,
          batch: budget.batch,
          memory: cache.capacity / 4,
          index: request.index ?? true,
          check,
        });
        turns = turnsOf(batches);
        for (;;) {
          const next = turns.next();
          const turn = next instanceof Promise ? await next : next;
          if (turn.done) break;
          const found = turn.value;
          for (let i = 0; i < found.length; i++) {
            const ord = found[i]!;
            if (matches.count === limit) return page('limit_reached', here());
            if (
              (budget.maxCandidates !== null && work.candidates >= budget.maxCandidates) ||
              (budget.maxEvaluated !== null && work.evaluated >= budget.maxEvaluated)
            )
              return page('work_limit', here());
            check();
            work.candidates++;
            environment.onJudged?.();
            if (areas.length) work.evaluated++;
            if (areas.length === 0 || holds(areas, parcels, ord)) {
              if (undecided(ord)) failures++;
              else {
                const failed = computed.read(ord);
                failures += typeof failed === 'number' ? failed : await failed;
                matches.add(parcels, ord, from, computed);
              }
            }
            judged = ord;
          }
        }
      } catch (error) {
        reached = here;
        throw error;
      } finally {
        // A scan that goes on has its connection.
        await turns?.return?.();
      }
      reached = here;
    }
  } catch (error) {
    if (error instanceof TimeUp) return page('timeout', reached() ?? startOf(counties));
    if (error instanceof Fault || error instanceof DamagedFile) return page('source_unavailable', reached());
    throw error;
  }
  // A state without parcel data is not a state without matches.
  const states = (statesOf(filters.tests, STATES) ?? []).filter(state => mayLieIn(filters.tests, state));
  const missing = states.some(state => !counties.some(county => county.state === state));
  return missing ? page('source_unavailable', null) : page('exhausted', null);
}

type Turns = Iterator<Rows> | AsyncIterator<Rows>;

/** Batches one after another: only those that have to be waited for are promises. */
const turnsOf = (batches: Candidates['batches']): Turns =>
  Symbol.asyncIterator in batches ? batches[Symbol.asyncIterator]() : batches[Symbol.iterator]();

/** Whether a parcel passes every area: by its box where that decides, else by its boundary. */
function holds(areas: readonly PreparedTest[], parcels: FeatureFile, ord: number): boolean {
  const { boxes } = parcels.index;
  const at = parcels.index.leafOf(ord) * 4;
  let boundary: Geometry | null = null;
  for (const { op, area } of areas) {
    const quick = area.grid.quickly(boxes[at]!, boxes[at + 1]!, boxes[at + 2]!, boxes[at + 3]!);
    if (quick === 'outside') return false;
    if (quick === 'inside') continue;
    boundary ??= parcels.boundary(ord);
    // The box of a boundary is that of the index.
    if (!(op === 'within' ? area.covers(boundary) : area.meets(boundary))) return false;
  }
  return true;
}

/** The place behind a row; where its order key cannot be read, one that holds as long as the file does. */
function reachedIn(county: County, parcels: FeatureFile, ord: number): Position {
  try {
    return positionOf(county, parcels, ord);
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error;
    return positionOf(county, null, ord);
  }
}

function startOf(counties: readonly County[]): Position | null {
  return counties[0] ? positionOf(counties[0], null, -1) : null;
}
