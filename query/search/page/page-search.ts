import type { Geometry } from '../../../datasets/geometry.ts';
import { DamagedFile } from '../../format/damaged-file.ts';
import type { FeatureFile } from '../../format/flatgeobuf.ts';
import { Calculated } from '../../parcel/calculated-values.ts';
import { Fault, Interrupted } from '../../release/fault.ts';
import type { Features } from '../../release/features.ts';
import type { Layers } from '../../release/layers.ts';
import { lacksRows } from '../../release/pack/pack.ts';
import { partsOf } from '../../release/part.ts';
import { Columns } from '../columns/columns.ts';
import { type SharedColumns, sharedFeatures } from '../columns/shared-columns.ts';
import { boxesOf, type Candidates, candidates, commonBox, type Rows } from '../predicate/candidates.ts';
import { type County, countiesAbout, countiesOf } from '../predicate/counties.ts';
import { type PreparedTest, statesOf, testsWithin } from '../request/filter.ts';
import { compareCounties, ordAfter, type Position, positionOf } from '../request/position.ts';
import type { CompletionReason, SearchRequest } from '../request/request.ts';
import { CalculatedOutputs } from './calculated-outputs.ts';
import type { SearchEnvironment } from './environment.ts';
import type { MatchSource } from './page-writer.ts';
import type { WrittenPage } from './written-page.ts';

/** What each reason says of the whole. */
const STATUS: Readonly<Record<CompletionReason, 'complete' | 'limited' | 'partial'>> = {
  exhausted: 'complete',
  limit_reached: 'limited',
  work_limit: 'limited',
  timeout: 'partial',
  field_data_unavailable: 'partial',
  source_unavailable: 'partial',
};

/** A page without its matches. */
export type PageEnd = Omit<WrittenPage, 'matches' | 'outline' | 'notices' | 'columnsRead'>;

/** The end of a page. */
export const ended = (reason: CompletionReason, next: Position | null): PageEnd => ({
  status: STATUS[reason],
  reason,
  next,
});

/** Candidates between two looks at whether something urgent has come. */
const STEP = 64;

class TimeUp extends Error {
  override readonly name = 'TimeUp';
}

/** What gets the parcels that pass. */
export interface Matches {
  /** How many it has. */
  readonly count: number;
  /** @param calculated read for the parcel. @throws DamagedFile when its row cannot be read; there is then none more. */
  add(parcels: FeatureFile, ord: number, from: MatchSource, calculated: CalculatedOutputs): void;
  /** Told a parcel that would pass, if a calculation of a filter had not failed. */
  miss?(): void;
}

/** What a page is searched with. */
interface PageSearchParts {
  readonly request: SearchRequest;
  readonly environment: SearchEnvironment;
  /** Null without a release. */
  readonly layers: Layers | null;
  /** The areas of the request, sound. */
  readonly areas: readonly PreparedTest[];
  readonly matches: Matches;
  /** Gets what is held in memory. */
  readonly columnsRead: SharedColumns | null;
}

/**
 * Looks for the matches of one page: county by county in stored order, candidate by candidate. It is one function on
 * purpose: cut into several that wait for each other, what a page was made with outlives the young generation, which
 * takes a tenth of the throughput of short searches.
 * @throws Interrupted when nobody waits any more.
 */
export async function findPage({
  request,
  environment,
  layers,
  areas,
  matches,
  columnsRead,
}: PageSearchParts): Promise<PageEnd> {
  const { release, cache, deadline, stopped } = environment;
  const { filters, limit, budget } = request;
  const check = () => {
    if (stopped()) throw new Interrupted('nobody waits for the answer');
    if (Date.now() >= deadline) throw new TimeUp();
  };
  const page = (end: CompletionReason, next: Position | null): PageEnd => {
    // A time that ran out or a source that failed says more; anything else would hide that values were missing.
    const reason = failures && STATUS[end] !== 'partial' ? 'field_data_unavailable' : end;
    return ended(reason, next);
  };
  const counties = countiesOf(release);
  const work = { candidates: 0, evaluated: 0 };
  /** Parcels that a value which could not be computed kept from being judged. */
  let failures = 0;
  /** Whether a pack was made without a county that filters leave. */
  let lacking = false;
  // Asked for only where a page ends: the order key of a row must be read.
  let reached = (): Position | null => request.after;
  try {
    const box = commonBox(boxesOf(areas));
    for (const county of box ? countiesAbout(counties, box) : counties) {
      if (request.after && compareCounties(county, request.after) < 0) continue;
      check();
      const tests = testsWithin(filters.tests, county);
      if (!tests) continue;
      if (lacksRows(release!, county.partition)) {
        lacking = true;
        continue;
      }
      const resumed = request.after !== null && compareCounties(county, request.after) === 0;
      if (!resumed) reached = () => positionOf(county, null, -1);
      const rows = environment.plan?.rows(county.partition, tests);
      if (environment.plan && rows === undefined) throw new Fault('not all that this county takes is held');
      // Of a county that no row of can pass nothing need be open.
      if (rows === null || rows?.possible === false) continue;
      const features = await layers!.features(county.partition);
      const parcels = features.file;
      columnsRead?.features.push(sharedFeatures(features, layers!, county.partition));
      const after = resumed ? ordAfter(request.after!, county, parcels) : -1;
      let judged = after;
      const position = () => positionOf(county, parcels, judged);
      const sources = partsOf(county.partition).map(({ provenance }) => provenance.source);
      const from = { state: county.state, fips: county.fips, key: county.partition.key, sources };
      const calculated = new Calculated(layers!, environment.catalog, county.partition);
      const computed = new CalculatedOutputs(calculated, request.outputs, parcels);
      let turns: Turns | null = null;
      try {
        const { batches, undecided } = await candidates({
          parcels,
          columns: new Columns(layers!, calculated, county.partition, parcels.count, check, columnsRead?.columns),
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
            // What is looked for then is whether there is another match.
            const full = matches.count === limit;
            if (
              (budget.maxCandidates !== null && work.candidates >= budget.maxCandidates) ||
              (budget.maxEvaluated !== null && work.evaluated >= budget.maxEvaluated)
            )
              return page(full ? 'limit_reached' : 'work_limit', position());
            check();
            if (work.candidates % STEP === STEP - 1) {
              const pausing = environment.pause?.();
              if (pausing) await pausing;
            }
            work.candidates++;
            environment.onJudged?.();
            if (areas.length) work.evaluated++;
            if (areas.length === 0 || holds(areas, features, ord)) {
              if (full) return page('limit_reached', position());
              if (undecided(ord)) {
                failures++;
                matches.miss?.();
              } else {
                const failed = computed.read(ord);
                failures += typeof failed === 'number' ? failed : await failed;
                matches.add(parcels, ord, from, computed);
              }
            }
            judged = ord;
          }
        }
      } catch (error) {
        reached = position;
        throw error;
      } finally {
        // A scan that goes on has its connection.
        await turns?.return?.();
      }
      reached = position;
    }
  } catch (error) {
    if (error instanceof TimeUp) {
      // A page that is full has all that was asked for; what is planned is begun anew.
      const full = matches.count === limit && !environment.plan;
      return page(full ? 'limit_reached' : 'timeout', reached() ?? startOf(counties));
    }
    if (error instanceof Fault || error instanceof DamagedFile) return page('source_unavailable', reached());
    throw error;
  }
  // A state without parcel data is not a state without matches.
  const missing = statesOf(filters.tests).some(state => !counties.some(county => county.state === state));
  return missing || lacking ? page('source_unavailable', null) : page('exhausted', null);
}

type Turns = Iterator<Rows> | AsyncIterator<Rows>;

/** Batches one after another: only those that have to be waited for are promises. */
const turnsOf = (batches: Candidates['batches']): Turns =>
  Symbol.asyncIterator in batches ? batches[Symbol.asyncIterator]() : batches[Symbol.iterator]();

/** Whether a parcel passes every area: by its box where that decides, else by its boundary. @throws DamagedFile when that cannot be read. */
export function holds(areas: readonly PreparedTest[], parcels: Features, ord: number): boolean {
  const { index } = parcels.file;
  const { boxes } = index;
  const at = index.leafOf(ord) * 4;
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

/** The position before the first row of the first county. */
function startOf(counties: readonly County[]): Position | null {
  return counties[0] ? positionOf(counties[0], null, -1) : null;
}
