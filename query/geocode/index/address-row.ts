import type { Value } from '../../../datasets/dataset.ts';
import { boxOf, type Geometry } from '../../../datasets/geometry.ts';

/** What stands at an address point, as its layer tells; kinds that come first are preferred where several answer. */
export const POINT_KINDS = ['address_point', 'building_centroid', 'parcel_situs', 'parcel_situs_unbuilt'] as const;
export type PointKind = (typeof POINT_KINDS)[number];

/** A house number at a place. Coordinates are lng,lat WGS84 degrees. */
export interface PointRow {
  /** Number and street in one line, as published: `73 HARLOW ST`; the street alone where the row has no number. */
  readonly line: string;
  /** The municipality, or the only city that the row names. */
  readonly city: string | null;
  /** The city of the Postal Service, where the row names it beside the municipality. */
  readonly postalCity?: string | null;
  /** Five digits. */
  readonly zip: string | null;
  /** Name, where the row tells it. */
  readonly county?: string | null;
  readonly lng: number;
  readonly lat: number;
  readonly kind: PointKind;
}

/** A segment of a street with its house numbers left and right; numbers are null where none are known. */
export interface SegmentRow {
  readonly street: string;
  readonly left: readonly [from: number, to: number] | null;
  readonly right: readonly [from: number, to: number] | null;
  readonly zipLeft: string | null;
  readonly zipRight: string | null;
  /** lng,lat of the line's vertices. */
  readonly xy: Float64Array;
}

type Properties = Readonly<Record<string, Value>>;

/** One layer's rows as address rows: how the index is fed, at ingest and where a release has no index file. */
export interface AddressSource {
  readonly dataset: string;
  readonly layer: string;
  rows(
    properties: Properties,
    geometry: Geometry,
  ): { readonly points: readonly PointRow[]; readonly segments: readonly SegmentRow[] };
}

const text = (value: Value | undefined): string | null => {
  const found = value === null || value === undefined ? '' : String(value).trim();
  return found === '' ? null : found;
};
const zipOf = (value: Value | undefined): string | null => /^\d{5}/.exec(text(value) ?? '')?.[0] ?? null;
const NONE = { points: [], segments: [] } as const;
const one = (point: PointRow) => ({ points: [point], segments: [] });

/** Centroid of the largest ring of a polygon, lng,lat; the middle of its box where it has no area. */
export function centroid({ xy, ends }: Geometry): [number, number] {
  let best = 0;
  let at: [number, number] | null = null;
  for (let ring = 0, start = 0; ring < ends.length; start = ends[ring++]!) {
    const [x0, y0] = [xy[2 * start]!, xy[2 * start + 1]!];
    let area = 0;
    let x = 0;
    let y = 0;
    for (let i = start; i + 1 < ends[ring]!; i++) {
      // Relative to the first vertex: the shoelace formula loses its digits far from the origin.
      const [ax, ay, bx, by] = [xy[2 * i]! - x0, xy[2 * i + 1]! - y0, xy[2 * i + 2]! - x0, xy[2 * i + 3]! - y0];
      const cross = ax * by - bx * ay;
      area += cross;
      x += (ax + bx) * cross;
      y += (ay + by) * cross;
    }
    if (Math.abs(area) > best) {
      best = Math.abs(area);
      at = [x0 + x / (3 * area), y0 + y / (3 * area)];
    }
  }
  return at ?? centre(boxOf({ xy } as Geometry));
}

const centre = ([west, south, east, north]: readonly number[]): [number, number] => [
  (west! + east!) / 2,
  (south! + north!) / 2,
];

/** Numbers of one side; null without both ends. Text as of the Census files, which may hold letters: those are no numbers. */
function side(from: Value | undefined, to: Value | undefined): readonly [number, number] | null {
  const ends = [from, to].map(value => {
    const digits = (text(value) ?? '').replaceAll('-', '');
    return /^\d{1,7}$/.test(digits) ? Number(digits) : Number.NaN;
  });
  return ends.every(end => end >= 0) ? [ends[0]!, ends[1]!] : null;
}

const built = (p: Properties): boolean =>
  p.vacant !== true && [p.yearbuilt, p.improvval, p.numunits, p.bldg_area_sqft].some(value => Number(value ?? 0) > 0);

/** What a point stands on when it is no building: the ground of the address, or a guess along the street. */
const OFF_BUILDING = /^(parcel|property access|geocod)/i;

/** What the National Address Database says where an address lies in no municipality. */
const NO_CITY = /^(?:unincorporated|not stated|none|n\/?a)\b/i;

/** The layers that hold addresses, best first. */
export const ADDRESS_SOURCES: readonly AddressSource[] = [
  {
    dataset: 'usdot_nad',
    layer: 'main',
    rows(p, { xy }) {
      const number = text(p.AddNo_Full) ?? text(p.Add_Number);
      const street = text(p.StNam_Full) ?? text(p.St_Name);
      if (!street) return NONE;
      const municipality = text(p.Inc_Muni);
      return one({
        line: number ? `${number} ${street}` : street,
        city: municipality === null || NO_CITY.test(municipality) ? text(p.Post_City) : municipality,
        postalCity: text(p.Post_City),
        zip: zipOf(p.Zip_Code),
        lng: xy[0]!,
        lat: xy[1]!,
        kind: OFF_BUILDING.test(text(p.Placement) ?? '') ? 'parcel_situs_unbuilt' : 'address_point',
      });
    },
  },
  {
    dataset: 'parcel_store',
    layer: 'main',
    rows(p, geometry) {
      const line = text(p.address);
      if (!line) return NONE;
      const [lng, lat] =
        typeof p.centroid_lon === 'number' && typeof p.centroid_lat === 'number'
          ? [p.centroid_lon, p.centroid_lat]
          : centroid(geometry);
      const kind = built(p) ? 'parcel_situs' : 'parcel_situs_unbuilt';
      return one({
        line,
        city: text(p.city),
        zip: zipOf(p.szip5) ?? zipOf(p.szip),
        county: text(p.county),
        lng,
        lat,
        kind,
      });
    },
  },
  {
    dataset: 'fema_usa_structures',
    layer: 'main',
    rows(p, geometry) {
      const line = text(p.PROP_ADDR);
      if (!line) return NONE;
      const [lng, lat] = centroid(geometry);
      return one({ line, city: text(p.PROP_CITY), zip: zipOf(p.PROP_ZIP), lng, lat, kind: 'building_centroid' });
    },
  },
  {
    dataset: 'census_tiger',
    layer: 'roads',
    rows(p, { xy, ends }) {
      const street = text(p.FULLNAME);
      if (!street) return NONE;
      const numbers = { left: side(p.LFROMADD, p.LTOADD), right: side(p.RFROMADD, p.RTOADD) };
      const segments: SegmentRow[] = [];
      for (let i = 0, start = 0; i < ends.length; start = ends[i++]!)
        segments.push({
          street,
          // Numbers run along one line; of a line in parts it is not said which.
          ...(ends.length === 1 ? numbers : { left: null, right: null }),
          zipLeft: zipOf(p.ZIPL),
          zipRight: zipOf(p.ZIPR),
          xy: xy.subarray(2 * start, 2 * ends[i]!),
        });
      return { points: [], segments };
    },
  },
];

/** The source that reads a layer; null when the layer holds no addresses. */
export const addressSourceOf = (dataset: string, layer: string): AddressSource | null =>
  ADDRESS_SOURCES.find(source => source.dataset === dataset && source.layer === layer) ?? null;
