import type { Geometry } from '../../datasets/geometry.ts';
import { STATE_FIPS } from '../../datasets/state-fips.ts';
import { Calculated } from '../calculated/calculated.ts';
import { DamagedFile } from '../damage.ts';
import { Fault, Interrupted } from '../fault.ts';
import type { FeatureFile } from '../flatgeobuf.ts';
import type { Layers } from '../layer.ts';
import { CalculatedOutputs } from './calculated-outputs.ts';
import { type Candidates, candidates, type Rows } from './candidates.ts';
import { Columns } from './columns.ts';
import { type County, countiesOf } from './counties.ts';
import type { SearchEnvironment } from './environment.ts';
import { mayLieIn, statesOf, type Test, testsWithin } from './filter.ts';
import { type Handed, handedFeatures } from './handed.ts';
import type { PreparedTest } from './kernel.ts';
import type { PageWriter } from './page-writer.ts';
import { compareCounties, ordAfter, type Position, positionOf } from './position.ts';
import type { CompletionReason, SearchRequest } from './request.ts';
import type { RowTests } from './row-tests.ts';
import type { WrittenPage } from './written-page.ts';

/** What each reason says of the whole. */
export const STATUS: Readonly<Record<CompletionReason, 'complete' | 'limited' | 'partial'>> = {
  exhausted: 'complete',
  limit_reached: 'limited',
  work_limit: 'limited',
  timeout: 'partial',
  field_data_unavailable: 'partial',
  source_unavailable: 'partial',
};

/** A page without its matches. */
export type PageEnd = Omit<WrittenPage, 'matches' | 'handed'>;

/** The end of a page. */
export const ended = (reason: CompletionReason, next: Position | null): PageEnd => ({
  status: STATUS[reason],
  reason,
  next,
});

class TimeUp extends Error {
  override readonly name = 'TimeUp';
}

const STATES = Object.keys(STATE_FIPS);

/** What a page is searched with. */
export interface PageSearchParts {
  readonly request: SearchRequest;
  readonly environment: SearchEnvironment;
  /** Null without a release. */
  readonly layers: Layers | null;
  /** The areas of the request, sound. */
  readonly areas: readonly PreparedTest[];
  /** Gets the matches. */
  readonly matches: PageWriter;
  /** Gets what is held in memory. */
  readonly handed: Handed | null;
}

/** Looks for the matches of one page: county by county in stored order, candidate by candidate. */
export class PageSearch {
  readonly #parts: PageSearchParts;
  readonly #counties: readonly County[];
  #candidates = 0;
  #evaluated = 0;
  /** Parcels that a value which could not be computed kept from being judged. */
  #failures = 0;
  /** Asked for only where a page ends: the order key of a row must be read. */
  #reached: () => Position | null;

  constructor(parts: PageSearchParts) {
    this.#parts = parts;
    this.#counties = countiesOf(parts.environment.release);
    this.#reached = () => parts.request.after;
  }

  /** Fills the page. @throws Interrupted when nobody waits any more. */
  async find(): Promise<PageEnd> {
    const { request } = this.#parts;
    const { tests } = request.filters;
    try {
      for (const county of this.#counties) {
        if (request.after && compareCounties(county, request.after) < 0) continue;
        this.#check();
        const left = testsWithin(tests, county);
        const end = left && (await this.#findIn(county, left));
        if (end) return end;
      }
    } catch (error) {
      if (error instanceof TimeUp) return this.#end('timeout', this.#reached() ?? startOf(this.#counties));
      if (error instanceof Fault || error instanceof DamagedFile)
        return this.#end('source_unavailable', this.#reached());
      throw error;
    }
    // A state without parcel data is not a state without matches.
    const states = (statesOf(tests, STATES) ?? []).filter(state => mayLieIn(tests, state));
    const missing = states.some(state => !this.#counties.some(county => county.state === state));
    return this.#end(missing ? 'source_unavailable' : 'exhausted', null);
  }

  /** @param tests that the county's key has not answered. @returns the end of the page; null to go on. */
  async #findIn(county: County, tests: readonly Test[]): Promise<PageEnd | null> {
    const { request, environment, handed } = this.#parts;
    const layers = this.#parts.layers!;
    const resumed = request.after !== null && compareCounties(county, request.after) === 0;
    if (!resumed) this.#reached = () => positionOf(county, null, -1);
    const rows = environment.weighed?.rows(county.partition, tests);
    if (environment.weighed && rows === undefined) throw new Fault('not all that this county takes is held');
    // Of a county that no row of can pass nothing need be open.
    if (rows === null || rows?.possible === false) return null;
    const features = await layers.features(county.partition);
    handed?.features.push(handedFeatures(features, layers, county.partition));
    const after = resumed ? ordAfter(request.after!, county, features.file) : -1;
    return this.#judge(county, features.file, tests, rows ?? null, after);
  }

  /** Judges a county's candidates behind a row. @returns as #findIn. */
  async #judge(
    county: County,
    parcels: FeatureFile,
    tests: readonly Test[],
    rows: RowTests | null,
    after: number,
  ): Promise<PageEnd | null> {
    const { request, environment, areas, matches, handed } = this.#parts;
    const layers = this.#parts.layers!;
    const { limit, budget } = request;
    const check = () => this.#check();
    const { key, place, provenance } = county.partition;
    const from = { state: county.state, fips: county.fips, key, place, source: provenance.source };
    const calculated = new Calculated(layers, environment.catalog, county.partition);
    const computed = new CalculatedOutputs(calculated, request.outputs);
    let judged = after;
    const here = () => positionOf(county, parcels, judged);
    let turns: Turns | null = null;
    try {
      const { batches, undecided } = await candidates({
        parcels,
        columns: new Columns(layers, calculated, county.partition, parcels.count, check, handed?.columns),
        tests,
        rows,
        areas,
        after,
        wanted: limit - matches.count + 1,
        batch: budget.batch,
        memory: environment.cache.capacity / 4,
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
          if (matches.count === limit) return this.#end('limit_reached', here());
          if (this.#isSpent()) return this.#end('work_limit', here());
          check();
          this.#candidates++;
          environment.onJudged?.();
          if (areas.length) this.#evaluated++;
          if (areas.length === 0 || holds(areas, parcels, ord)) {
            if (undecided(ord)) this.#failures++;
            else {
              const failed = computed.read(ord);
              this.#failures += typeof failed === 'number' ? failed : await failed;
              matches.add(parcels, ord, from, computed);
            }
          }
          judged = ord;
        }
      }
    } finally {
      this.#reached = here;
      // A scan that goes on has its connection.
      await turns?.return?.();
    }
    return null;
  }

  #check(): void {
    const { stopped, deadline } = this.#parts.environment;
    if (stopped()) throw new Interrupted('nobody waits for the answer');
    if (Date.now() >= deadline) throw new TimeUp();
  }

  #isSpent(): boolean {
    const { maxCandidates, maxEvaluated } = this.#parts.request.budget;
    return (
      (maxCandidates !== null && this.#candidates >= maxCandidates) ||
      (maxEvaluated !== null && this.#evaluated >= maxEvaluated)
    );
  }

  #end(end: CompletionReason, next: Position | null): PageEnd {
    // A time that ran out or a source that failed says more; anything else would hide that values were missing.
    const reason = this.#failures && STATUS[end] !== 'partial' ? 'field_data_unavailable' : end;
    this.#parts.environment.onEnd?.(this.#parts.matches.count, this.#failures);
    return ended(reason, next);
  }
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

/** Before the first row of the first county. */
export function startOf(counties: readonly County[]): Position | null {
  return counties[0] ? positionOf(counties[0], null, -1) : null;
}
