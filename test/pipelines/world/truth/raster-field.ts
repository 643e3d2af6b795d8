import type { Catalog } from '../../../../datasets/catalog.ts';
import type { Expression } from '../../../../datasets/grammar/expression.ts';
import {
  bilinearAt,
  cellAt,
  cellsWithin,
  type DegreeGrid,
  cellOf as degreeCell,
  hornAt,
  rileyAt,
} from '../../../oracle/grid.ts';
import { meets } from './condition.ts';
import { finished, type Truth } from './finished.ts';
import type { TruthLayers } from './layers.ts';
import { asDegreeGrid, cellOf, cellValue, disc, nearCellEdge } from './raster.ts';

/** Fields of rasters by plain definition: cell by cell over what the generator made. */
export class RasterTruth {
  readonly #layers: TruthLayers;
  readonly #catalog: Catalog;
  #dem: DegreeGrid | null = null;
  readonly #discs = new Map<string, readonly [number, number][]>();

  constructor(layers: TruthLayers, catalog: Catalog) {
    this.#layers = layers;
    this.#catalog = catalog;
  }

  #nodata(id: string): readonly number[] {
    const [dataset, layer] = id.split(':') as [string, string];
    const definition = this.#catalog.datasets.get(dataset)!.layers[layer]!;
    return definition.kind === 'raster' ? (definition.nodata ?? []) : [];
  }

  elevation(): DegreeGrid {
    this.#dem ??= asDegreeGrid(this.#layers.grid('usgs_3dep:main'));
    return this.#dem;
  }

  sample(call: Expression, id: string, lng: number, lat: number): Truth {
    if (id === 'usgs_3dep:main') {
      const height = bilinearAt(this.elevation(), lng, lat);
      return Number.isNaN(height) ? 'absent' : { value: height };
    }
    const grid = this.#layers.grid(id);
    if (nearCellEdge(grid, lng, lat)) return 'unsure';
    const value = cellValue(grid, ...cellOf(grid, lng, lat), this.#nodata(id));
    return Number.isNaN(value) ? 'absent' : finished(call, value);
  }

  /** Slope in percent and degrees, and the way down, of a cell of the elevation. */
  measure(kind: string, column: number, row: number): number | string {
    const horn = hornAt(this.elevation(), column, row);
    if (kind === 'slope_percent') return horn.percent;
    if (kind === 'slope_degrees') return horn.degrees;
    if (Number.isNaN(horn.percent)) return Number.NaN;
    if (kind === 'aspect_degrees') return horn.percent === 0 ? Number.NaN : horn.aspect;
    return horn.percent < 2 ? 'flat' : ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'][Math.round(horn.aspect / 45) % 8]!;
  }

  terrain(call: Expression, lng: number, lat: number): Truth {
    const dem = this.elevation();
    const kind = call.argument!;
    const { stat, over } = call.options;
    if (kind === 'tri') return { value: rileyAt(dem, lng, lat, 30) };
    if (kind === 'tpi') {
      const cells = this.#cells('dem', Number(call.options.window_m) / 2, lng, lat);
      const mean = cells.reduce((sum, [c, r]) => sum + degreeCell(dem, c, r), 0) / cells.length;
      return { value: bilinearAt(dem, lng, lat) - mean };
    }
    if (stat === undefined) {
      const value = this.measure(kind, ...cellAt(dem, lng, lat));
      return Number.isNaN(value) ? 'absent' : { value };
    }
    const cells = this.#cells('dem', Number(String(over).split(':')[1]), lng, lat);
    const values = cells.map(([c, r]) => this.measure(kind, c, r) as number).filter(value => !Number.isNaN(value));
    if (values.length * 2 < cells.length) return 'absent';
    if (stat === 'mean') return { value: values.reduce((sum, value) => sum + value, 0) / values.length };
    const hits = values.filter(value => meets(call.where, { value }, this.#layers.today)).length;
    return { value: hits / values.length };
  }

  /** Cells of a disc, kept for the other fields of the same place. */
  #cells(id: string, metres: number, lng: number, lat: number): readonly [number, number][] {
    const grid = id === 'dem' ? null : this.#layers.grid(id);
    const layout = grid ? `${grid.epsg} ${grid.left} ${grid.top} ${grid.cellX}` : id;
    const key = `${layout} ${metres} ${lng} ${lat}`;
    let cells = this.#discs.get(key);
    if (!cells) {
      cells = grid ? disc(grid, lng, lat, metres) : cellsWithin(this.elevation(), lng, lat, metres);
      this.#discs.set(key, cells);
    }
    return cells;
  }

  zonal(call: Expression, id: string, lng: number, lat: number): Truth {
    const metres = Number(String(call.options.over).split(':')[1]);
    const isDem = id === 'usgs_3dep:main';
    const cells = this.#cells(isDem ? 'dem' : id, metres, lng, lat);
    const grid = isDem ? null : this.#layers.grid(id);
    const nodata = this.#nodata(id);
    const values = cells
      .map(([c, r]) => (grid ? cellValue(grid, c, r, nodata) : degreeCell(this.elevation(), c, r)))
      .filter(value => !Number.isNaN(value));
    if (values.length * 2 < cells.length || values.length === 0) return 'absent';
    const { stat } = call.options;
    if (stat === 'range') return { value: Math.max(...values) - Math.min(...values) };
    if (stat === 'mean') return { value: values.reduce((sum, value) => sum + value, 0) / values.length };
    if (stat === 'fraction')
      return { value: values.filter(value => meets(call.where, { value }, this.#layers.today)).length / values.length };
    const counts = new Map<number, number>();
    for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
    const [most] = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
    return finished(call, most![0]);
  }
}
