import type { Catalog } from '../../../datasets/catalog.ts';
import { type Box, boxOf } from '../../../datasets/geometry.ts';
import type { Partition } from '../../../datasets/release.ts';
import { isAreaField } from '../../parcel/built-columns.ts';
import { Calculated } from '../../parcel/calculated-values.ts';
import type { Cache } from '../../release/cache.ts';
import { Layers } from '../../release/layers.ts';
import type { Release } from '../../release/open-release.ts';
import { lacksRows } from '../../release/pack/pack.ts';
import { Columns } from '../columns/columns.ts';
import { commonBox } from '../predicate/candidates.ts';
import { type County, countiesAbout, countiesOf } from '../predicate/counties.ts';
import { RowTests, rowTest } from '../predicate/row-tests.ts';
import { type Test, testsWithin } from '../request/filter.ts';
import { BOUNDARY_OUTPUTS } from '../request/name.ts';
import { compareCounties } from '../request/position.ts';
import type { SearchRequest } from '../request/request.ts';

/** Microseconds that the parts of a search take, about. */
const COST = {
  page: 50,
  /** Of an area: to prepare it and to judge parcels about it. */
  vertex: 0.5,
  operand: 1,
  county: 5,
  /** A value of a column that is looked at. */
  value: 0.001,
  /** A row that is read to be sure. */
  read: 3,
  match: 3,
  output: 0.2,
  boundary: 15,
};
/** A page is thought to be full where so many times as many matches are expected as it takes. */
const SURE = 2;

const BOUNDARIES: ReadonlySet<string> = new Set(BOUNDARY_OUTPUTS);

/** How a page is made of what a thread holds in memory, over files that were sound when they were last looked at. */
export interface Plan {
  readonly layers: Layers;
  /** Milliseconds that the page is thought to take; Infinity where it takes more than columns and indexes in memory. */
  readonly cost: number;
  /** Whether all is held that the page is thought to take. */
  readonly held: boolean;
  /**
   * The tests of a county that is searched; null where it lacks a column, undefined where something is not held: the page
   * ends there and another thread must make it.
   */
  readonly rows: (county: Partition, tests: readonly Test[]) => RowTests | null | undefined;
}

/**
 * Plans a page: which counties it is made of, by which columns, and what that costs. Nothing is read but the stats of files.
 * @throws Fault or DamagedFile where the release is not as its manifest says.
 */
export function planOf(request: SearchRequest, release: Release, catalog: Catalog, cache: Cache): Plan {
  const layers = new Layers(release, cache);
  const byCounty = new Map<Partition, RowTests | null | undefined>();
  const rows: Plan['rows'] = (county, tests) => {
    if (!byCounty.has(county)) byCounty.set(county, heldRows(county, tests, layers, catalog));
    return byCounty.get(county);
  };
  const { filters, outputs, after, limit } = request;
  const plan = (micros: number, held = true): Plan => ({ layers, cost: micros / 1000, held, rows });
  if (!isOfMemory(request, catalog)) return plan(Number.POSITIVE_INFINITY);
  const boundaries = outputs.filter(name => BOUNDARIES.has(name)).length;
  const match = COST.match + COST.output * outputs.length + COST.boundary * boundaries;
  let cost =
    COST.page +
    COST.vertex * filters.areas.reduce((sum, { geometry }) => sum + geometry.xy.length / 2, 0) +
    COST.operand * filters.tests.reduce((sum, { operands }) => sum + operands.length, 0);
  let expected = 0;
  const box = commonBox(filters.areas.map(({ geometry }) => boxOf(geometry)));
  const counties = countiesOf(release);
  for (const county of box ? countiesAbout(counties, box) : counties) {
    if (after && compareCounties(county, after) < 0) continue;
    const tests = testsWithin(filters.tests, county);
    if (!tests || lacksRows(release, county.partition)) continue;
    const found = rows(county.partition, tests);
    if (found === undefined) return plan(cost, false);
    cost += COST.county;
    if (!found?.possible) continue;
    const wanted = Math.max(0, limit + 1 - expected);
    const matches = found.expected * shareOf(county, box);
    // Of many rows that pass only those are looked at that fill the page.
    cost +=
      (matches > wanted ? wanted / matches : 1) * tests.length * found.looked * (found.reads ? COST.read : COST.value);
    cost += Math.min(matches, wanted) * match;
    expected += matches;
    if (expected >= SURE * (limit + 1)) break;
  }
  return plan(cost);
}

/** Whether a page can be made of columns and indexes in memory: tables by area are looked up by DuckDB, and ceilings count a whole page. */
const isOfMemory = ({ enrich, index, budget, outputs }: SearchRequest, catalog: Catalog): boolean =>
  !enrich &&
  index !== false &&
  budget.maxCandidates === null &&
  budget.maxEvaluated === null &&
  !outputs.some(name => {
    const field = catalog.fields.get(name);
    return field !== undefined && isAreaField(field);
  });

/** The tests of a county over the columns that are held. @returns as `rows` of a plan. */
function heldRows(
  county: Partition,
  tests: readonly Test[],
  layers: Layers,
  catalog: Catalog,
): RowTests | null | undefined {
  const parcels = layers.featuresIfOpen(county)?.file;
  if (!parcels) return undefined;
  const columns = new Columns(layers, new Calculated(layers, catalog, county), county, parcels.count, () => {});
  if (!tests.every(({ name }) => columns.has(name, parcels))) return null;
  const held = tests.flatMap(test => {
    const column = columns.heldAlready(test);
    return column ? [rowTest(test, column, columns.reader(test.name, parcels))] : [];
  });
  const found = new RowTests(held, parcels.count);
  // One test that no row passes is enough: whoever read the columns may not have read the others.
  return held.length === tests.length || !found.possible ? found : undefined;
}

/** Share of a county's box that lies in another. */
function shareOf({ partition }: County, box: Box | null): number {
  if (!box || !partition.box) return 1;
  const [x0, y0, x1, y1] = partition.box;
  const within = (low: number, high: number, from: number, to: number) =>
    high > low ? Math.max(0, Math.min(high, to) - Math.max(low, from)) / (high - low) : 1;
  return within(x0, x1, box[0], box[2]) * within(y0, y1, box[1], box[3]);
}
