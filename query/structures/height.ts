import type { Catalog } from '../../datasets/catalog.ts';
import type { Field } from '../../datasets/dataset.ts';
import type { SourceRef } from '../../datasets/grammar/expression.ts';
import { layerWords } from '../../datasets/layer-words.ts';
import type { AreaContext } from '../evaluate/area/area.ts';
import { cite } from '../evaluate/finding.ts';
import { MOST_CELLS, spansOf, windowOf } from '../evaluate/raster/cell-polygons.ts';
import { type Grid, readGrid, tilesAt } from '../evaluate/raster/mosaic.ts';
import { Fault } from '../release/fault.ts';
import { bilinear } from '../release/raster.ts';
import type { Footprint } from './footprint.ts';
import type { Height, HeightVerdict } from './request.ts';
import { citationList, fact, failure, gap, standingOf } from './standing.ts';

/** Steps along an edge, in cells: between them the ground falls by less than heights are stored with. */
const STEP = 0.25;
/** Heights are told to the centimetre. */
const rounded = (metres: number): number => Math.round(metres * 100) / 100;

/** The error of heights that a layer states in metres; null where it states none. */
function errorOf(catalog: Catalog, { dataset, layer }: SourceRef): number | null {
  const definition = catalog.datasets.get(dataset)?.layers[layer];
  const assessed = definition && 'assessed' in definition ? (definition.assessed ?? []) : [];
  return assessed.find(({ unit }) => unit === 'm')?.figure ?? null;
}

/**
 * The lowest ground of an area, by bilinear weighing between the centres of cells as heights at points are: it lies at the centre of a
 * cell or on the outline, because between four centres the ground has no hollow.
 * @returns NaN where some of it has no data.
 */
function lowestOf({ area: { geometry, prepared } }: AreaContext, grid: Grid): number {
  const { raster } = grid;
  const height = (column: number, row: number) => bilinear((c, r) => grid.at(c, r), column, row);
  let lowest = Number.POSITIVE_INFINITY;
  const take = (metres: number) => {
    // NaN stays: nothing is less than it.
    if (Number.isNaN(metres) || metres < lowest) lowest = metres;
  };
  let start = 0;
  for (const end of geometry.ends) {
    for (let v = start + 1; v < end; v++) {
      const from = raster.toGrid(geometry.xy[2 * v - 2]!, geometry.xy[2 * v - 1]!);
      const to = raster.toGrid(geometry.xy[2 * v]!, geometry.xy[2 * v + 1]!);
      const steps = Math.max(1, Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1]) / STEP));
      for (let i = 0; i <= steps; i++)
        take(height(from[0] + ((to[0] - from[0]) * i) / steps, from[1] + ((to[1] - from[1]) * i) / steps));
      if (Number.isNaN(lowest)) return lowest;
    }
    start = end;
  }
  for (let row = grid.row0; row < grid.row0 + grid.height; row++)
    for (let column = grid.column0; column < grid.column0 + grid.width; column++)
      if (prepared.grid.holds(...raster.toPoint(column + 0.5, row + 0.5))) take(grid.at(column, row));
  return lowest;
}

/** The lowest ground under a footprint. @param field of heights at points. @throws Interrupted when nobody waits any more. */
export async function lowestGround({ on }: Footprint, { expression }: Field): Promise<Height> {
  const source = expression.sources[0]!;
  const { ctx } = on;
  const nothing = { metres: null, error: null };
  try {
    const { atPoint, searched, covering } = await on.within(async () => tilesAt(ctx, source));
    const [tile] = atPoint;
    if (!tile)
      return {
        ...gap(`outside the coverage of ${layerWords(source, covering)}`, citationList(covering), source.dataset),
        ...nothing,
      };
    const window = windowOf(tile.raster, ctx.area.geometry);
    if (!((window.column1 - window.column0) * (window.row1 - window.row0) <= MOST_CELLS))
      throw new Fault('the structure has too many cells of the terrain');
    const grid = await readGrid(ctx, tile, searched, Number(expression.argument), window);
    const citations = citationList(grid.sources(spansOf(grid)));
    const lowest = lowestOf(ctx, grid);
    if (Number.isNaN(lowest))
      return { ...gap('the terrain has no data under a part of it', citations, source.dataset), ...nothing };
    return { ...fact(citations, source.dataset), metres: rounded(lowest), error: errorOf(ctx.catalog, source) };
  } catch (error) {
    return { ...failure(error, source.dataset), ...nothing };
  }
}

/** The highest base flood elevation that the map states under a footprint. @throws Interrupted when nobody waits any more. */
export async function baseFlood({ on }: Footprint, field: Field): Promise<Height> {
  const source = field.expression.sources[0]!;
  const finding = await on.answer(field);
  const values = finding?.value?.kind === 'shares' ? finding.value.shares.map(({ value }) => value as number) : [];
  if (finding && finding.status !== 'ok') return { ...standingOf(finding, source.dataset), metres: null, error: null };
  if (values.length === 0) {
    const reason = 'the flood map states no base flood elevation above NAVD 88 under it';
    return { ...gap(reason, finding?.citations ?? [], source.dataset), metres: null, error: null };
  }
  const metres = rounded(Math.max(...values));
  return { ...standingOf(finding!, source.dataset), metres, error: errorOf(on.ctx.catalog, source) };
}

/**
 * How far the lowest ground lies above the base flood. The error is that of both, √(a² + b²); within twice as much, which 19 of 20
 * differences of that error stay under, it is not decidable whether it is above.
 */
export function aboveBaseFlood(lowest: Height, flood: Height): HeightVerdict {
  const lacking =
    [lowest, flood].find(({ status }) => status === 'failed') ?? [lowest, flood].find(({ status }) => status !== 'ok');
  const cited = cite(
    [lowest, flood].map(({ source, sourceUrl, vintage }) => ({ source, url: sourceUrl, vintage })),
    { id: flood.source, url: null },
  );
  if (lacking) {
    const { status, reason, retryable } = lacking;
    return { status, reason, retryable, ...cited, metres: null, error: null, verdict: null };
  }
  const metres = rounded(lowest.metres! - flood.metres!);
  const error = lowest.error === null || flood.error === null ? null : rounded(Math.hypot(lowest.error, flood.error));
  const isClear = error !== null && Math.abs(metres) > 2 * error;
  const verdict = isClear ? (metres > 0 ? 'above' : 'below') : 'not_decidable';
  return { status: 'ok', reason: null, retryable: false, ...cited, metres, error, verdict };
}
