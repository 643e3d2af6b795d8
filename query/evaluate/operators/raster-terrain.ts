import type { Value } from '../../../datasets/dataset.ts';
import type { Expression } from '../../../datasets/grammar/expression.ts';
import { layerWords } from '../../../datasets/layer-words.ts';
import type { Partition } from '../../../datasets/release.ts';
import { Fault } from '../../release/fault.ts';
import { confidenceOf } from '../confidence.ts';
import { type Context, type Operator, type Question, testOf } from '../context.ts';
import { absent, type Finding, found } from '../finding.ts';
import { roundFraction } from '../published.ts';
import type { Tile } from '../raster/mosaic.ts';
import { overParcels, parcelZonal } from '../raster/parcel-cells.ts';
import {
  type CellKind,
  cellMetres,
  heightAt,
  marginOf,
  measure,
  measureAll,
  requireCellKind,
  ruggedness,
  SECTORS,
} from '../raster/terrain.ts';
import { summarise } from '../raster/zonal.ts';
import { answerZones, radiusOf, type Zone, type ZoneAt, type ZoneSpec, zoneAt } from '../raster/zone.ts';

/** How much larger than a third of the window a cell may be before the answer says so: 1/3 arc-second is 10.3 m. */
const COARSE = 1.1;

/** Distance of Riley's neighbors: a third of the window; null where the DEM is too coarse for it. */
export function spacingOf(
  { raster }: Pick<Tile, 'raster'>,
  call: Expression,
  column: number,
  row: number,
): number | null {
  const spacing = Number(call.options.window_m) / 3;
  return cellMetres(raster, column, row) > spacing * COARSE ? null : spacing;
}

/** @throws Fault for a measure that does not exist or cannot be summarised. */
function specOf(call: Expression): ZoneSpec {
  const kind = call.argument!;
  const { over, stat, window_m } = call.options;
  if (!(Number(window_m) > 0)) throw new Fault(`window_m=${window_m}: expected meters above 0`);
  if ((over === undefined) !== (stat === undefined)) throw new Fault('stat= and over= need each other');
  if (call.where && stat === undefined) throw new Fault('where[…] needs stat= and over=');
  const source = call.sources[0]!;
  if (kind === 'tpi') {
    if (stat !== undefined) throw new Fault('tpi already summarizes a disc; it takes no stat=');
    return { source, band: 1, radius: Number(window_m) / 2, margin: () => 1, around: '1' };
  }
  const cellKind = requireCellKind(kind);
  if (kind.startsWith('aspect') && stat !== undefined && stat !== 'fraction' && stat !== 'majority')
    throw new Fault(`stat=${stat} has no meaning for directions; majority and fraction have`);
  return {
    source,
    band: 1,
    radius: over === undefined ? null : radiusOf(over),
    around: cellKind === 'tri' ? `tri ${window_m}` : '1',
    margin: (tile, column, row) =>
      marginOf(tile.raster, cellKind, column, row, cellKind === 'tri' ? spacingOf(tile, call, column, row) : null),
  };
}

/** A code as it is answered: the name of a sector, any other number as it is. */
export const shown = (kind: string, value: number): number | string =>
  kind === 'aspect_cardinal' ? SECTORS[value]! : value;

/** The partitions whose cells the answer rests on, those around each measured cell too. */
function partitionsOf(call: Expression, { grid, spans, at }: Zone): readonly Partition[] {
  const kind = call.argument!;
  if (kind === 'tpi') return grid.sources(spans);
  const [column, row] = [Math.floor(at[0]), Math.floor(at[1])];
  const cellKind = requireCellKind(kind);
  return grid.sources(spans, marginOf(grid.raster, cellKind, column, row, spacingOf(grid, call, column, row)));
}

function answer(ctx: Context, call: Expression, { rule }: Question, zone: ZoneAt): Finding {
  const confidence = confidenceOf(rule);
  if ('absent' in zone) return absent(zone.absent, confidence, zone.covering);
  const { grid, spans, at }: Zone = zone;
  const [column, row] = [Math.floor(at[0]), Math.floor(at[1])];
  const kind = call.argument!;
  const partitions = partitionsOf(call, zone);
  const name = layerWords(call.sources[0]!, partitions);
  const nothing = (reason: string) => absent(reason, confidence, partitions);
  const cell = cellMetres(grid.raster, column, row);
  const wanted = Number(call.options.window_m) / 3;
  const coarse = kind !== 'tpi' && cell > wanted * COARSE;
  const notes = coarse
    ? [
        `cells of ${name} are ${Math.round(cell)} m wide here: measured over ${Math.round(cell * 3)} m, not ${call.options.window_m} m`,
      ]
    : [];
  const answered = (value: Value) => found(value, confidence, partitions, notes);

  if (kind === 'tpi') {
    const height = heightAt(grid, ...at);
    if (Number.isNaN(height)) return nothing(`no data in the cell of ${name}`);
    const mean = summarise('mean', { grid, spans, kind: '', values: () => grid.values }, null, null);
    return 'reason' in mean ? nothing(`${name}: ${mean.reason}`) : answered(height - mean.value);
  }
  const cellKind = kind as CellKind;
  const spacing = cellKind === 'tri' ? spacingOf(grid, call, column, row) : null;
  if (call.options.stat === undefined) {
    const value = cellKind === 'tri' ? ruggedness(grid, ...at, spacing) : measure(grid, cellKind, column, row, spacing);
    if (!Number.isNaN(value)) return answered(shown(kind, value));
    const slope = measure(grid, 'slope_percent', column, row, null);
    return slope === 0
      ? nothing('the ground is level here: it faces nowhere')
      : nothing(`no data in the cell of ${name} or in one of its neighbors`);
  }
  const result = summarise(
    String(call.options.stat),
    {
      grid,
      spans,
      kind: `${kind} ${spacing}`,
      values: () => measureAll(grid, cellKind, spacing),
      label: value => shown(kind, value),
    },
    call.where,
    call.where && testOf(ctx, call.where),
  );
  if ('reason' in result) return nothing(`${name}: ${result.reason}`);
  if (call.options.stat === 'fraction') return answered(roundFraction(result.value));
  return answered(call.options.stat === 'majority' ? shown(kind, result.value) : result.value);
}

/**
 * A measure of the ground from the elevation model: `slope_degrees`, `slope_percent`, `aspect_degrees` (clockwise from
 * true north, the way down; absent on level ground), `aspect_cardinal` (eight sectors, `flat` under 2 percent), `tri`
 * (Riley's ruggedness over 8 neighbors, a third of window_m away), `tpi` (elevation of the point less the mean of the
 * disc window_m across). With `stat` and `over` a statistic of the measure over the cells of a disc, as raster_zonal.
 *
 * Decided here:
 * - Slope and aspect are Horn's over the 3 x 3 native cells about the cell that holds the point, whatever window_m says. A
 *   cell wider than a third of the window (a tenth more is let pass) adds a note with its size.
 * - Steps between cells are meters on the ground along true east and north, from the radii of curvature at the cell's
 *   latitude: grids in degrees, projected grids, their scale and their convergence all give the same slope and aspect.
 * - All nine cells must have data, as in gdaldem; otherwise the measure is absent. Cells across the edge of a tile come
 *   from its neighbor, as in raster_zonal.
 * - Ruggedness is taken about the point, every elevation bilinear; on a DEM too coarse for that about its cell, over the
 *   eight cells next to it, with the note. In a statistic it is taken about each cell's center.
 * - The point's elevation in tpi is bilinear, as the field `elevation`.
 * - `over=parcel` (attributes of stored parcels only) takes the cells of the parcel, as raster_zonal does.
 * - Directions have no mean or range: such calls are refused. In fractions of aspect level cells count as not valid.
 *
 * Cost: a point reads one to four blocks (each decoded once and kept) and nine cells; a disc as raster_zonal, with
 * one Horn a cell. In bulk, points on one 512-cell square share window, slopes and running sums.
 */
export const operator: Operator = {
  name: 'raster_terrain',
  async point(ctx, call, question) {
    if (call.options.over === 'parcel') return parcelZonal(ctx, call, question, requireCellKind(call.argument!));
    return answer(ctx, call, question, await zoneAt(ctx, specOf(call)));
  },
  bulk(batch, call, question) {
    if (call.options.over === 'parcel') return overParcels(batch, call, question, requireCellKind(call.argument!));
    return answerZones(batch, specOf(call), (ctx, zone) => answer(ctx, call, question, zone));
  },
};
