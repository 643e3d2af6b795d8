import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Seconds of one of what a bench counts, by the unit of its figures. Units that are no time are left out. */
const SECONDS: Readonly<Record<string, (figure: number) => number>> = {
  ms: figure => figure / 1e3,
  'ms of processor': figure => figure / 1e3,
  'ms/request': figure => figure / 1e3,
  µs: figure => figure / 1e6,
  'requests/s': figure => 1 / figure,
  'points/s': figure => 1 / figure,
  'addresses/s': figure => 1 / figure,
  'charges/s': figure => 1 / figure,
  'rows/s': figure => 1 / figure,
  'parcels/s/core': figure => 1 / figure,
};

/** The least that a case of a bench takes: a row of `bench-floor`, and how many of it. */
interface Least {
  readonly row: string;
  readonly times: number;
}

const NUMBER = 'search of a parcel number, Fastify with the same bytes';
const ONE_FIELD = 'fetch of one field, new ground, Fastify with the same bytes';
const FIFTY_FIELDS = 'fetch of 50 mixed fields, new ground, Fastify with the same bytes';
const TREE = 'R-tree of 200000 boxes, a point';
const POLYGON = 'a point in a polygon of 500 vertices';
const GEODESIC = 'a geodesic distance';
const SCAN = 'DuckDB, a scan of two million numbers';
const READ = 'SQLite, a row of 400 bytes by key';
const WRITE = 'SQLite, a row of 400 bytes written';

const once = (row: string) => (): Least => ({ row, times: 1 });
/** A search of an R-tree for each field that a case names. */
const fieldByField = (name: string): Least | null => {
  const fields = Number(/(\d+) (?:stored )?fields/.exec(name)?.[1] ?? 0);
  return fields > 0 ? { row: TREE, times: fields } : null;
};
const predicate = (name: string): Least | null =>
  /^distance/.test(name)
    ? { row: GEODESIC, times: 1 }
    : /^(?:contains|intersects|within)/.test(name)
      ? { row: POLYGON, times: 1 }
      : null;
const matrix = (name: string): Least | null => {
  const [, rows, columns] = /(\d+) × (\d+) matrix/.exec(name) ?? [];
  return rows ? { row: GEODESIC, times: Number(rows) * Number(columns) } : null;
};

/** The floor of each bench by its name. Benches of tokens, answers in words, disk and workers rest on none of these. */
const LEAST: Readonly<Record<string, (name: string) => Least | null>> = {
  bulk: fieldByField,
  enrich: once(FIFTY_FIELDS),
  exports: name => (/points/.test(name) ? { row: TREE, times: 50 } : null),
  fetch: once(ONE_FIELD),
  'fetch-mixed': name => (/fields/.test(name) ? { row: FIFTY_FIELDS, times: 1 } : null),
  geocode: once(READ),
  ingest: once(WRITE),
  isolation: once(ONE_FIELD),
  kernel: predicate,
  ledger: once(READ),
  overlay: fieldByField,
  partitions: once(TREE),
  proximity: matrix,
  search: once(NUMBER),
  'search-2m': once(NUMBER),
  'search-bangor': once(NUMBER),
  'search-kernel': predicate,
  sets: () => ({ row: SCAN, times: 0.1 }),
  'sets-2m': once(SCAN),
  site: name => (/fetch|ground/.test(name) ? { row: ONE_FIELD, times: 1 } : null),
  suggest: once(NUMBER),
  tiles: name => (/^(?:zoom|8 viewers, )/.test(name) ? { row: NUMBER, times: 1 } : null),
};

interface FloorRow {
  readonly case: string;
  readonly unit: string;
  readonly ours: number;
  readonly peer: number | null;
}

const RESULT = fileURLToPath(new URL('../results/floor.json', import.meta.url));

/** Seconds of the rows that the newest run of `bench-floor` measured, by name; empty without one. */
function floorSeconds(): ReadonlyMap<string, number> {
  if (!existsSync(RESULT)) return new Map();
  const { rows } = JSON.parse(readFileSync(RESULT, 'utf8')) as { readonly rows: readonly FloorRow[] };
  return new Map(rows.map(row => [row.case, SECONDS[row.unit]!(row.peer ?? row.ours)]));
}

const FLOOR = floorSeconds();

/**
 * Finds how many times the floor of the machine a figure of a bench takes.
 * @param bench the name of its result. @param name the case. @param unit as the bench prints it.
 * @returns null where nothing that `bench-floor` measures is a floor of it.
 */
export function timesFloor(bench: string, name: string, unit: string, figure: number): number | null {
  const seconds = SECONDS[unit];
  const least = seconds ? LEAST[bench]?.(name) : null;
  const floor = least && FLOOR.get(least.row);
  return seconds && least && floor ? seconds(figure) / (floor * least.times) : null;
}
