import type { Box } from '../../../datasets/geometry.ts';
import { OWNER_COLUMNS } from '../../../datasets/parcel/owner-columns.ts';
import type { FeatureFile } from '../../format/flatgeobuf.ts';
import { scan } from '../../release/duckdb-scan.ts';
import type { Columns } from '../columns/columns.ts';
import { MOST_HASHED } from '../columns/held-column.ts';
import { selectOrds } from '../columns/sql.ts';
import type { PreparedTest, Test } from '../request/filter.ts';
import { RowTests, rowTest } from './row-tests.ts';

/** Boxes that one descent of the index finds before they are judged: few at first, because they may fill the page. */
const LEAST_INDEX_BATCH = 64;
const INDEX_BATCH = 1024;
/** Share of a county's rows in the areas' box from which its columns are scanned in order instead of its index. */
const DENSE = 0.1;
/** Rows listed by a column up to which they are judged by their boxes instead of asking the index. */
const FEW = 512;
/** Bytes a row and column that a held column may take at most, about. */
const ROW_BYTES = 12;

interface CountySearch {
  readonly parcels: FeatureFile;
  readonly columns: Columns;
  /** Tests on columns that the county's key has not answered. */
  readonly tests: readonly Test[];
  /** The same over their columns, where they were made already. */
  readonly rows: RowTests | null;
  readonly areas: readonly PreparedTest[];
  /** Judged already: only later rows come. */
  readonly after: number;
  /** Rows that are all the page can use when every candidate is a match. */
  readonly wanted: number;
  readonly batch: number;
  /** Bytes that columns may take in memory. */
  readonly memory: number;
  readonly index: boolean;
  /** Throws when the search must stop. */
  readonly check: () => void;
}

/** Row numbers, ascending. */
export type Rows = ArrayLike<number>;

/** A county's candidates. */
export interface Candidates {
  /** Rows that no column test and no box rules out, in stored order, in batches that are good until the next one. */
  readonly batches: AsyncIterable<Rows> | Iterable<Rows>;
  /** Whether a row passed only because a value could not be computed. */
  readonly undecided: (ord: number) => boolean;
}

const NOTHING: Candidates = { batches: [], undecided: () => false };

/** Finds the candidates of a county: by its index, by columns in memory, or by DuckDB where memory does not suffice. */
export async function candidates(search: CountySearch): Promise<Candidates> {
  const { parcels, tests, index, columns } = search;
  if (search.rows) return among(search, search.rows);
  // A county whose file was made without a column has no value of it, and null passes nothing.
  if (tests.some(({ name }) => !columns.has(name, parcels))) return NOTHING;
  const named = new Set(tests.map(({ name }) => name)).size;
  const fits = named * parcels.count * ROW_BYTES <= search.memory && parcels.count <= MOST_HASHED;
  const stored = tests.every(({ name }) => columns.isStored(name));
  const corrected = [...(parcels.corrected?.values() ?? [])].some(of => tests.some(({ name }) => of.has(name)));
  // DuckDB is asked about one file: calculations stand in others, and are held whatever they weigh; so is what was corrected.
  if ((!index || (tests.length && !fits)) && stored && !corrected)
    return { batches: streamed(search), undecided: () => false };

  const rowTests: ReturnType<typeof rowTest>[] = [];
  for (const test of tests) {
    const one = rowTest(test, await columns.held(test), columns.reader(test.name, parcels));
    // The rest need not be read when no row passes this one.
    if (one.share === 0) return NOTHING;
    rowTests.push(one);
  }
  return among(search, new RowTests(rowTests, parcels.count));
}

function among(search: CountySearch, rows: RowTests): Candidates {
  const batches = search.areas.length === 0 ? attributes(search, rows) : spatial(search, rows);
  return { batches, undecided: ord => rows.undecided(ord) };
}

/** Every row, or those that the tests leave. */
function* attributes({ parcels, tests, after, batch, check }: CountySearch, rows: RowTests): Generator<Rows> {
  if (tests.length === 0) {
    for (let from = after + 1; from < parcels.count; from += batch) {
      check();
      yield Array.from({ length: Math.min(batch, parcels.count - from) }, (_, i) => from + i);
    }
    return;
  }
  for (const found of rows.after(after)) {
    check();
    if (found.length) yield found;
  }
}

function* spatial(search: CountySearch, rows: RowTests): Generator<Rows> {
  const { parcels, tests, areas, after, check } = search;
  const box = commonBox(boxesOf(areas))!;
  const judge = new BoxJudge(parcels, areas);
  // A long list loses against the index, which finds what lies in the box alone.
  if (rows.listed <= FEW) {
    yield* judged(rows.after(after), judge, check);
    return;
  }
  const found = new Uint32Array(INDEX_BATCH);
  let most = Math.min(INDEX_BATCH, Math.max(LEAST_INDEX_BATCH, 2 * search.wanted));
  for (let from = after + 1; ; most = INDEX_BATCH) {
    check();
    let n = 0;
    parcels.search(
      box,
      ord => {
        found[n++] = ord;
        return n < most;
      },
      from,
    );
    const full = n === most;
    const next = full ? found[n - 1]! + 1 : parcels.count;
    // Where most rows lie in the box, asking the columns first is cheaper than asking the index.
    if (full && tests.length && n / (next - from) > DENSE) {
      yield* judged(rows.after(from - 1), judge, check);
      return;
    }
    const kept = judge.keep(found, rows.keep(found, n));
    if (kept) yield found.subarray(0, kept);
    if (!full) return;
    from = next;
  }
}

function* judged(batches: Iterable<Uint32Array>, judge: BoxJudge, check: () => void): Generator<Rows> {
  for (const batch of batches) {
    check();
    const kept = judge.keep(batch, batch.length);
    if (kept) yield batch.subarray(0, kept);
  }
}

/** By DuckDB over the county's Parquet file. */
async function* streamed(search: CountySearch): AsyncGenerator<Rows> {
  const { parcels, tests, areas, after, batch, check, index } = search;
  const box = commonBox(boxesOf(areas));
  const judge = new BoxJudge(parcels, areas);
  // DuckDB reads what is withheld too: such a row has no value, and null passes nothing.
  const withheld = tests.some(({ name }) => OWNER_COLUMNS.has(name)) ? parcels.withheldRows : null;
  const limit = areas.length || withheld ? null : search.wanted;
  const { path, requireSame } = await search.columns.rows();
  const statement = selectOrds(path, tests, { after, box, limit });
  for await (const ords of scan(statement, check)) {
    requireSame();
    // What a chunk has found is judged before the next is read: a page may be full already.
    const told = withheld ? ords.filter(ord => withheld[ord] !== 1) : ords;
    const kept = index ? told.filter(ord => judge.mayPass(ord)) : told;
    for (let i = 0; i < kept.length; i += batch) yield kept.slice(i, i + batch);
  }
  requireSame();
}

/** What boxes of parcels say about the areas of a search. */
class BoxJudge {
  readonly #boxes: Float64Array;
  readonly #firstLeaf: number;
  readonly #areas: readonly PreparedTest[];

  constructor(parcels: FeatureFile, areas: readonly PreparedTest[]) {
    this.#boxes = parcels.index.boxes;
    this.#firstLeaf = parcels.count ? parcels.index.leafOf(0) : 0;
    this.#areas = areas;
  }

  /** Keeps of the first `n` rows those that their boxes do not rule out; @returns how many. */
  keep(rows: Uint32Array, n: number): number {
    let kept = 0;
    for (let i = 0; i < n; i++) if (this.mayPass(rows[i]!)) rows[kept++] = rows[i]!;
    return kept;
  }

  mayPass(ord: number): boolean {
    const at = (ord + this.#firstLeaf) * 4;
    const boxes = this.#boxes;
    const [minX, minY, maxX, maxY] = [boxes[at]!, boxes[at + 1]!, boxes[at + 2]!, boxes[at + 3]!];
    for (const { op, area } of this.#areas) {
      const [x0, y0, x1, y1] = area.grid.box;
      if (
        op === 'within'
          ? minX < x0 || minY < y0 || maxX > x1 || maxY > y1
          : maxX < x0 || maxY < y0 || minX > x1 || minY > y1
      )
        return false;
      if (area.grid.quickly(minX, minY, maxX, maxY) === 'outside') return false;
    }
    return true;
  }
}

/** Boxes of some areas. */
export const boxesOf = (areas: readonly PreparedTest[]): Box[] => areas.map(({ area }) => area.grid.box);

/**
 * A box that a parcel's box must meet (edges count) to meet each of some areas, by their boxes. It is turned inside out where they do not
 * meet one another, which a parcel that spans the gap still passes. Null without areas.
 */
export function commonBox(boxes: readonly Box[]): Box | null {
  if (boxes.length === 0) return null;
  return [
    Math.max(...boxes.map(b => b[0])),
    Math.max(...boxes.map(b => b[1])),
    Math.min(...boxes.map(b => b[2])),
    Math.min(...boxes.map(b => b[3])),
  ];
}
