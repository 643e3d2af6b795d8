import { createHash } from 'node:crypto';
import { catalog } from '../../datasets/catalog.ts';
import { enrichCatalogOf } from '../../datasets/enrich/enrich.ts';
import { EXTENT, fromFrame } from '../../pipelines/world/frame.ts';
import { seeded } from '../query/spoiling.ts';

/** A request of the golden net. */
export interface GoldenRequest {
  readonly path: string;
  readonly body: object;
}

/** A parcel of the area, as a search answers it. */
export interface GoldenParcel {
  readonly apn: string | null;
  readonly address: string | null;
  readonly city: string | null;
  readonly state: string;
  readonly acreage: number | null;
  readonly analysis_point: { readonly lat: number; readonly lng: number };
}

/** The search whose matches the other requests are about. */
export const PARCELS: GoldenRequest = {
  path: '/v1/search',
  body: { filters: [{ field: 'state', op: 'in', value: ['ME', 'NH'] }], limit: 100 },
};

/** Number of each kind of request. */
const COUNTS = { fetch: 1240, batch: 40, enrich: 60, search: 400, lookup: 140, geocode: 120 };

/** Names in groups by their hash: a new name changes the requests of its own group alone. */
function groupsOf(names: Iterable<string>, count: number): string[][] {
  const groups: string[][] = Array.from({ length: count }, () => []);
  for (const name of names) groups[createHash('sha256').update(name).digest().readUInt32LE() % count]!.push(name);
  return groups.filter(group => group.length > 0);
}

/** 2,000 mixed requests, the same for the same parcels and catalog. */
export function goldenRequests(parcels: readonly GoldenParcel[]): GoldenRequest[] {
  const random = seeded(20_261_130);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const many = (count: number, make: (i: number) => GoldenRequest) => Array.from({ length: count }, (_, i) => make(i));
  const fields = groupsOf(catalog.fields.keys(), 80);
  const enriched = groupsOf(enrichCatalogOf(catalog).fields.keys(), 12);
  const addressed = parcels.filter(({ address }) => address !== null);

  /** Half in parcels, half anywhere in the area. */
  const point = () => {
    if (random() < 0.5) {
      const { lat, lng } = pick(parcels).analysis_point;
      return { lat, lng };
    }
    const between = (low: number, high: number) => low + random() * (high - low);
    const [lng, lat] = fromFrame([between(EXTENT.west, EXTENT.east), between(EXTENT.sea, EXTENT.inland)]);
    return { lat, lng };
  };

  /** An address in one of the ways in which people write it. */
  const address = () => {
    const { address: line, city, state } = pick(addressed);
    const whole = `${line}, ${city}, ${state}`;
    return pick([
      whole,
      whole.toLowerCase(),
      `${line} ${state}`,
      whole.replace(/(\w)\w(\w+),/, '$1$2,'),
      `${line!.replace(/^\d+/, '9999')}, ${city}, ${state}`,
      line!,
    ]);
  };

  const filter = () => {
    const parcel = pick(parcels);
    const acres = parcel.acreage ?? 1;
    const { lat, lng } = point();
    const side = 0.002 + 0.03 * random();
    const ring = [
      [lng, lat],
      [lng + side, lat],
      [lng + side / 2, lat + side],
      [lng, lat],
    ];
    return pick([
      { field: 'acreage', op: 'gte', value: acres },
      { field: 'acreage', op: 'between', value: [acres / 2, acres * 2] },
      { field: 'parval', op: 'lt', value: Math.round(random() * 600_000) },
      { field: 'yearbuilt', op: 'gt', value: 1900 + Math.floor(random() * 120) },
      { field: 'apn', op: 'in', value: [parcel.apn ?? '', 'none'] },
      { field: 'city', op: 'eq', value: parcel.city ?? 'none' },
      { field: 'city', op: 'ne', value: parcel.city ?? 'none' },
      { field: 'nearest_road_distance_m', op: 'lte', value: 10 + Math.floor(random() * 300) },
      { field: 'fema_flood_zone', op: 'in', value: ['AE', 'X', 'VE'] },
      { field: 'geometry', op: pick(['intersects', 'within']), value: { type: 'Polygon', coordinates: [ring] } },
    ]);
  };

  return [
    ...many(COUNTS.fetch, i => ({ path: '/v1/fetch', body: { ...point(), fields: fields[i % fields.length] } })),
    ...many(COUNTS.batch, i => ({
      path: '/v1/fetch/batch',
      body: { locations: Array.from({ length: 8 }, point), fields: fields[(7 * i) % fields.length] },
    })),
    ...many(COUNTS.enrich, i => ({ path: '/v1/enrich', body: { ...point(), fields: enriched[i % enriched.length] } })),
    ...many(COUNTS.search, i => ({
      path: '/v1/search',
      body: {
        filters: [{ field: 'state', op: 'eq', value: pick(['ME', 'NH']) }, ...Array.from({ length: i % 3 }, filter)],
        fields: fields[i % fields.length]!.slice(0, 2),
        limit: 1 + (i % 40),
      },
    })),
    ...many(COUNTS.lookup, i => {
      const { lat, lng } = point();
      const parcel = pick(parcels);
      return { path: '/v1/lookup', body: { input: [address(), `${lat},${lng}`, parcel.apn ?? 'none'][i % 3] } };
    }),
    ...many(COUNTS.geocode, () => ({ path: '/v1/geocode', body: { address: address() } })),
  ];
}
