import type { Box } from '../../datasets/geometry.ts';
import type { FeatureFile } from '../flatgeobuf.ts';
import type { AreaTest, Test } from './filter.ts';
import { passes } from './filter.ts';
import type { PreparedArea } from './kernel.ts';
import { PARCEL_AREA } from './name.ts';
import { storedValue } from './row.ts';
import { scan } from './scan.ts';
import { selectOrds } from './sql.ts';

/** Boxes an index search may find before the columns are scanned instead of reading every parcel's row. */
const ROWS_WORTH_READING = 100;

/** An area test ready to be asked. */
export interface PreparedTest {
  readonly op: AreaTest['op'];
  readonly area: PreparedArea;
}

export interface CountySearch {
  readonly parcels: FeatureFile;
  /** Path of the county's Parquet file; asked for only when columns are scanned. */
  readonly rows: () => Promise<string>;
  /** Tests on columns that the county's key has not answered. */
  readonly tests: readonly Test[];
  readonly areas: readonly PreparedTest[];
  /** Judged already: only later rows come. */
  readonly after: number;
  /** Rows that are all the page can use when every candidate is a match. */
  readonly wanted: number;
  readonly batch: number;
  readonly index: boolean;
  /** Throws when the search must stop. */
  readonly check: () => void;
}

/** Rows that pass every column test and whose boxes the areas do not rule out, in stored order, in batches. */
export async function* candidates(search: CountySearch): AsyncGenerator<readonly number[]> {
  const { parcels, tests, areas, after, batch, check, index } = search;
  // A county whose file was made without a column has no value of it, and null passes nothing.
  if (tests.some(({ name }) => name !== PARCEL_AREA && !parcels.columns.includes(name))) return;
  const box = meet(areas.map(({ area }) => area.grid.box));
  const mayPass = (ord: number) => areas.every(({ op, area }) => boxMayPass(op, area, parcels.box(ord)));

  if (index && tests.length === 0) {
    const found = box ? within(parcels, box, after) : null;
    const count = found ? found.length : parcels.count - after - 1;
    let out: number[] = [];
    for (let i = 0; i < count; i++) {
      if (i % 1024 === 0) check();
      const ord = found ? found[i]! : after + 1 + i;
      if (mayPass(ord)) out.push(ord);
      if (out.length === batch) {
        yield out;
        out = [];
      }
    }
    if (out.length) yield out;
    return;
  }

  if (index && box) {
    const found = within(parcels, box, after, ROWS_WORTH_READING + 1);
    if (found.length <= ROWS_WORTH_READING) {
      let out: number[] = [];
      for (const [i, ord] of found.entries()) {
        if (i % 64 === 0) check();
        if (!mayPass(ord)) continue;
        const properties = parcels.properties(ord);
        if (tests.every(test => passes(test, storedValue(test.name, properties)))) out.push(ord);
        if (out.length === batch) {
          yield out;
          out = [];
        }
      }
      if (out.length) yield out;
      return;
    }
  }

  const limit = areas.length ? null : search.wanted;
  const statement = selectOrds(await search.rows(), tests, { after, box, limit });
  let out: number[] = [];
  for await (const ords of scan(statement, check)) {
    for (const ord of ords) {
      if (!index || mayPass(ord)) out.push(ord);
      if (out.length === batch) {
        yield out;
        out = [];
      }
    }
    // What a chunk has found is judged before the next is read: a page may be full already.
    if (out.length) {
      yield out;
      out = [];
    }
  }
}

function boxMayPass(op: AreaTest['op'], area: PreparedArea, box: Box): boolean {
  if (op === 'within') {
    const [x0, y0, x1, y1] = area.grid.box;
    if (box[0] < x0 || box[1] < y0 || box[2] > x1 || box[3] > y1) return false;
  }
  return area.quick(box) !== 'outside';
}

function within(parcels: FeatureFile, box: Box, after: number, most = Number.POSITIVE_INFINITY): number[] {
  const found: number[] = [];
  parcels.search(box, ord => {
    if (ord > after) found.push(ord);
    return found.length < most;
  });
  return found;
}

/**
 * A box that a parcel's box must meet (edges count) to meet each of these. It is turned inside out where they do not
 * meet one another, which a parcel that spans the gap still passes. Null without boxes.
 */
function meet(boxes: readonly Box[]): Box | null {
  if (boxes.length === 0) return null;
  return [
    Math.max(...boxes.map(b => b[0])),
    Math.max(...boxes.map(b => b[1])),
    Math.min(...boxes.map(b => b[2])),
    Math.min(...boxes.map(b => b[3])),
  ];
}
