import { catalog as CATALOG, type Catalog } from '../../../../datasets/catalog.ts';
import type { Value } from '../../../../datasets/dataset.ts';
import type { Expression } from '../../../../datasets/grammar/expression.ts';
import { metresBetween } from '../../../oracle/geodesic.ts';
import { fromGeoJSON, type Polygonal, toGeoJSON } from '../../../oracle/geojson.ts';
import { area, contains } from '../../../oracle/geometry.ts';
import { cellAt, centre } from '../../../oracle/grid.ts';
import { coveredShare, disc as discRing } from '../../../oracle/overlap.ts';
import { edgeMetres, nearestPoints, type Survey } from '../../../oracle/survey.ts';
import { meets, numberOf, type Row } from './condition.ts';
import { finished, type Truth } from './finished.ts';
import { compute } from './formula.ts';
import type { TruthLayers } from './layers.ts';
import { RasterTruth } from './raster-field.ts';

const AREA_KEYS: Readonly<Record<string, readonly [layer: string, column: string]>> = {
  county_fips: ['census_tiger:county', 'GEOID'],
  tract_geoid: ['census_tiger:tract', 'GEOID'],
  block_geoid: ['census_tiger:tabblock20', 'GEOID20'],
  huc12: ['usgs_wbd:WBDHU12', 'huc12'],
  utility_eia_id: ['hifld_archive:electric_retail_service_territories', 'ID'],
  egrid_subregion: ['epa_egrid:subregion_poly', 'SUBRGN'],
  zcta: ['census_tiger:zcta520', 'ZCTA5CE20'],
};

/** Fields of the synthetic area by plain definition: brute force over what the generator made. */
export class FieldTruth {
  readonly #layers: TruthLayers;
  readonly #catalog: Catalog = CATALOG;
  readonly #subsets = new Map<string, Survey<Row>>();
  readonly #raster: RasterTruth;

  constructor(layers: TruthLayers) {
    this.#layers = layers;
    this.#raster = new RasterTruth(layers, this.#catalog);
  }

  /** The truth of a field at a lng,lat. */
  at(name: string, lng: number, lat: number): Truth {
    const field = this.#catalog.fields.get(name)!;
    const truth = this.#call(field.expression, lng, lat);
    if (typeof truth === 'string') return truth;
    if (field.type === 'string') return { value: String(truth.value) };
    if (field.type === 'number' || field.type === 'integer') return { value: numberOf(truth.value) };
    return truth;
  }

  #call(call: Expression, lng: number, lat: number): Truth {
    const [source] = call.sources;
    const id = source ? `${source.dataset}:${source.layer}` : '';
    if (source && call.op !== 'overlap_fraction' && !this.#layers.covers(id, lng, lat)) return 'absent';
    switch (call.op) {
      case 'raster_sample':
        return this.#raster.sample(call, id, lng, lat);
      case 'raster_terrain':
        return this.#raster.terrain(call, lng, lat);
      case 'raster_zonal':
        return this.#raster.zonal(call, id, lng, lat);
      case 'polygon_attr':
        return this.#polygon(call, id, lng, lat);
      case 'polygon_within':
        return this.#within(call, id, lng, lat);
      case 'nearest_distance':
      case 'nearest_attr':
        return this.#nearest(call, id, lng, lat);
      case 'count_within':
      case 'agg_within':
        return this.#around(call, id, lng, lat);
      case 'overlap_fraction':
        return this.#overlap(call, lng, lat);
      case 'area_key_attr':
        return this.#table(call, id, lng, lat);
      case 'station_value':
        return this.#station(call, id, lng, lat);
      case 'parcel_attr':
        return this.#parcelColumn(call, lng, lat);
      case 'derived':
        return this.#derived(call, lng, lat);
    }
  }

  /** Sentinels, map, scale and offset. */
  #survey(call: Pick<Expression, 'where'>, id: string): Survey<Row> {
    if (!call.where) return this.#layers.survey(id);
    const key = `${id} ${JSON.stringify(call.where)}`;
    let subset = this.#subsets.get(key);
    if (!subset) {
      subset = this.#layers.survey(id).where(row => meets(call.where, row, this.#layers.today));
      this.#subsets.set(key, subset);
    }
    return subset;
  }

  #polygon(call: Expression, id: string, lng: number, lat: number): Truth {
    const hits = this.#survey(call, id).at(lng, lat);
    if (!hits.length) return 'absent';
    const { pick } = call.options;
    if (pick === undefined) return finished(call, hits[0]!.value[call.argument!]);
    const numbers = hits.map(hit => Number(hit.value[call.argument!]));
    return finished(call, pick === 'min' ? Math.min(...numbers) : Math.max(...numbers));
  }

  #within(call: Expression, id: string, lng: number, lat: number): Truth {
    if (this.#survey(call, id).at(lng, lat).length) return { value: true };
    if (call.options.coverage === undefined) return { value: false };
    const all = this.#layers.survey(id).at(lng, lat);
    if (all.some(hit => hit.value.FLD_ZONE === 'AREA NOT INCLUDED')) return 'absent';
    return this.#layers.survey(String(call.options.coverage)).at(lng, lat).length ? { value: false } : 'absent';
  }

  #nearest(call: Expression, id: string, lng: number, lat: number): Truth {
    const survey = this.#survey(call, id);
    const isPoints = survey.features[0]?.geometry.type === 'Point';
    const found = isPoints ? nearestPoints(survey, lng, lat, 0.5) : survey.nearest(lng, lat, 0.5);
    const [first] = found;
    const limit = Number(call.options.max_km) * 1000;
    if (!first || first.metres > limit) return first && first.metres < limit + 1 ? 'unsure' : 'absent';
    if (call.op === 'nearest_distance') return { value: first.metres };
    // In a polygon of several the order of equal distances is by key, and two within the slack may be either.
    const values = new Set(found.map(hit => hit.feature.value[call.argument!]));
    return values.size > 1 ? 'unsure' : finished(call, first.feature.value[call.argument!]);
  }

  #around(call: Expression, id: string, lng: number, lat: number): Truth {
    const radius = Number(call.options.radius_m);
    const near: Row[] = [];
    for (const { geometry, box, value } of this.#survey(call, id).features) {
      const x = Math.min(Math.max(lng, box[0]), box[2]);
      const y = Math.min(Math.max(lat, box[1]), box[3]);
      if (metresBetween(lng, lat, x, y) > radius * 1.01 + 1) continue;
      const metres =
        geometry.type === 'Point'
          ? metresBetween(lng, lat, geometry.xy[0]!, geometry.xy[1]!)
          : contains(geometry, lng, lat)
            ? 0
            : edgeMetres(geometry, lng, lat);
      if (Math.abs(metres - radius) < 0.5) return 'unsure';
      if (metres <= radius) near.push(value);
    }
    const { distinct, agg } = call.options;
    if (call.op === 'count_within')
      return { value: distinct === undefined ? near.length : new Set(near.map(row => row[String(distinct)])).size };
    const numbers = near.map(row => row[call.argument!]).filter(value => value !== null && value !== undefined);
    if (agg === 'sum') return { value: numbers.reduce((sum: number, value) => sum + numberOf(value!), 0) };
    return numbers.length ? { value: Math.max(...numbers.map(value => numberOf(value!))) } : 'absent';
  }

  /** The key of the area at a place: the smallest polygon's. */
  #key(name: string, lng: number, lat: number): string | null {
    const [layer, column] = AREA_KEYS[name]!;
    if (!this.#layers.covers(layer, lng, lat)) return null;
    const [hit] = this.#layers.survey(layer).at(lng, lat);
    const value = hit?.value[column];
    return value === null || value === undefined ? null : String(value);
  }

  #table(call: Expression, id: string, lng: number, lat: number): Truth {
    const [dataset, layer] = id.split(':') as [string, string];
    const definition = this.#catalog.datasets.get(dataset)!.layers[layer]!;
    if (definition.kind !== 'table') throw new Error(`${id} is no table`);
    const name = String(call.options.key);
    const keys = name === 'zcta_utility' ? ['zcta', 'utility_eia_id'] : [name];
    const found = keys.map(key => this.#key(key, lng, lat));
    if (found.includes(null)) return 'absent';
    let rows = this.#layers
      .rows(id)
      .map(one => one.row)
      .filter(row => String(row[definition.key.column]) === found[0])
      .filter(row => meets(call.where, row, this.#layers.today));
    if (name === 'zcta_utility') {
      const own = rows.filter(row => row.eiaid === found[1]);
      const bundled = own.filter(row => row.service_type === 'Bundled');
      if (own.length) rows = bundled.length ? bundled : own;
      else {
        const rates = rows.filter(row => row.service_type === 'Bundled').map(row => row[call.argument!]);
        const given = rates.filter(rate => rate !== null).map(Number);
        return given.length ? { value: given.reduce((sum, rate) => sum + rate, 0) / given.length } : 'absent';
      }
    }
    const values = rows.map(row => row[call.argument!]).filter(value => value !== null && value !== undefined);
    const numbers = values.map(value => numberOf(value!));
    switch (call.options.agg) {
      case undefined:
        return rows.length ? finished(call, rows[0]![call.argument!]) : 'absent';
      case 'sum':
        return { value: numbers.reduce((sum, value) => sum + value, 0) };
      case 'mean':
        return numbers.length ? { value: numbers.reduce((sum, value) => sum + value, 0) / numbers.length } : 'absent';
      case 'max':
        return numbers.length ? { value: Math.max(...numbers) } : 'absent';
      case 'count':
        return { value: values.length };
      case 'count_distinct':
        return { value: new Set(values).size };
      case 'any':
        return { value: values.length > 0 };
      default: {
        const newest = rows.reduce((a, b) => (Number(b.Year) > Number(a.Year) ? b : a), rows[0]!);
        return finished(call, newest?.[call.argument!]);
      }
    }
  }

  #station(call: Expression, id: string, lng: number, lat: number): Truth {
    const { k, max_km, scale, offset } = call.options;
    const near = this.#layers
      .survey(id)
      .features.filter(f => f.value[call.argument!] !== null && f.value[call.argument!] !== undefined)
      .map(({ geometry: { xy }, value }) => ({ metres: metresBetween(lng, lat, xy[0]!, xy[1]!), value }))
      .filter(({ metres }) => metres <= Number(max_km) * 1000)
      .sort((a, b) => a.metres - b.metres)
      .slice(0, Number(k));
    if (!near.length) return 'absent';
    const used = near[0]!.metres <= 100 ? near.slice(0, 1) : near;
    const weights = used.map(({ metres }) => 1 / Math.max(metres, 1e-9) ** 2);
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const mean = used.reduce((sum, { value }, i) => sum + Number(value[call.argument!]) * weights[i]!, 0) / total;
    return { value: mean * Number(scale ?? 1) + Number(offset ?? 0) };
  }

  /** The parcel that holds a place; nothing where none is near, unsure where the nearest or several would have to decide. */
  #parcel(lng: number, lat: number): { geometry: Parameters<typeof area>[0]; value: Row } | 'absent' | 'unsure' {
    const survey = this.#layers.survey('parcel_store:main');
    const hits = survey.at(lng, lat);
    if (hits.length === 1) return edgeMetres(hits[0]!.geometry, lng, lat) < 0.05 ? 'unsure' : hits[0]!;
    if (hits.length > 1) return 'unsure';
    const [nearest] = survey.nearest(lng, lat);
    return nearest && nearest.metres < 31 ? 'unsure' : 'absent';
  }

  #parcelColumn(call: Expression, lng: number, lat: number): Truth {
    const parcel = this.#parcel(lng, lat);
    if (typeof parcel === 'string') return parcel;
    if (call.argument === '@match_type') return { value: 'contains' };
    if (call.argument === '@match_distance_m') return { value: 0 };
    if (call.argument === '@area_m2') return { value: area(parcel.geometry) };
    return finished(call, parcel.value[call.argument!]);
  }

  /** Cells of the elevation over a parcel whose slope meets a condition, as squares. */
  #steep(call: Expression['sources'][number], [west, south, east, north]: readonly number[]) {
    const dem = this.#raster.elevation();
    const [c0, r0] = cellAt(dem, west!, north!);
    const [c1, r1] = cellAt(dem, east!, south!);
    const squares = [];
    for (let r = r0; r <= r1; r++)
      for (let c = c0; c <= c1; c++) {
        const value = this.#raster.measure(call.layer, c, r) as number;
        if (!meets(call.where, { value }, this.#layers.today)) continue;
        const [x, y] = centre(dem, c, r);
        const [w, s, e, n] = [x - dem.cell / 2, y - dem.cell / 2, x + dem.cell / 2, y + dem.cell / 2];
        const ring = [
          [w, s],
          [e, s],
          [e, n],
          [w, n],
          [w, s],
        ];
        squares.push(fromGeoJSON({ type: 'Polygon', coordinates: [ring] }));
      }
    return squares;
  }

  #overlap(call: Expression, lng: number, lat: number): Truth {
    const layers = call.sources.map(source => `${source.dataset}:${source.layer}`);
    const stored = layers.map(id => (id === 'usgs_3dep:slope_percent' ? 'usgs_3dep:main' : id));
    if (!stored.every(id => this.#layers.covers(id, lng, lat))) return 'absent';
    const over = String(call.options.over);
    let mask: Polygonal;
    if (over === 'parcel') {
      const parcel = this.#parcel(lng, lat);
      if (typeof parcel === 'string') return parcel;
      mask = toGeoJSON(parcel.geometry) as Polygonal;
    } else mask = discRing(lng, lat, Number(over.split(':')[1]));
    const shells = (mask.type === 'Polygon' ? [mask.coordinates] : mask.coordinates).flatMap(rings => rings[0]!);
    const [xs, ys] = [shells.map(p => p[0]!), shells.map(p => p[1]!)];
    const box = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)] as const;
    const polygons = call.sources.flatMap((source, i) =>
      stored[i] === layers[i]
        ? this.#survey({ where: source.where ?? call.where }, layers[i]!)
            .features.filter(f => f.box[0] <= box[2] && f.box[2] >= box[0] && f.box[1] <= box[3] && f.box[3] >= box[1])
            .map(f => f.geometry)
        : this.#steep(source, box),
    );
    return { value: coveredShare(mask, polygons) };
  }

  #derived(call: Expression, lng: number, lat: number): Truth {
    const inputs: Record<string, Value> = {};
    let unsure = false;
    for (const [name, input] of Object.entries(call.inputs)) {
      const truth = 'field' in input ? this.at(input.field, lng, lat) : this.#call(input, lng, lat);
      if (truth === 'absent') return 'absent';
      if (truth === 'unsure') unsure = true;
      else inputs[name] = truth.value;
    }
    if (unsure) return 'unsure';
    const value = compute(call.formula!, inputs);
    return typeof value === 'number' && !Number.isFinite(value) ? 'absent' : { value: value! };
  }
}
