import { join } from 'node:path';
import { expect } from 'vitest';
import { catalog } from '../../datasets/catalog.ts';
import { boxOf, type Geometry } from '../../datasets/geometry.ts';
import { PARCEL_ATTRIBUTES } from '../../datasets/parcel/parcel-attributes.ts';
import { openSource } from '../../ingest/format.ts';
import { readSettings } from '../../query/engine/settings.ts';
import { currentId, readManifest } from '../../query/release/home/releases.ts';
import { startServer } from '../../server/service.ts';
import { holds } from '../oracle/exact.ts';

/** A parcel as the files of a release have it, read by the readers of published files. */
export interface StoredParcel {
  readonly state: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly geometry: Geometry;
  readonly box: readonly [number, number, number, number];
  /** Product that its part of the county is of. */
  readonly source: string;
}

// biome-ignore lint/suspicious/noExplicitAny: what a body is, is what these tests find out
type Body = any;
export type Ask = (path: string, body: unknown) => Promise<Body>;

/** Every parcel of a home's current release, county by county in stored order. */
export async function storedParcels(home: string): Promise<StoredParcel[]> {
  const releases = join(home, 'releases');
  const { partitions } = readManifest(releases, currentId(releases)!).datasets.parcel_store!.main!;
  const out: StoredParcel[] = [];
  for (const { key, files, parts, provenance } of partitions) {
    const source = await openSource(join(releases, files.find(f => f.role === 'features')!.path));
    for await (const batch of source.rows())
      for (const { properties, geometry } of batch)
        out.push({
          state: key.split('/')[0]!,
          properties,
          geometry: geometry!,
          box: boxOf(geometry!),
          source: (parts?.[Number(properties.part)] ?? { provenance }).provenance.source,
        });
    await source.close();
  }
  return out;
}

/** Serves a home on a free port. */
export async function served(home: string): Promise<{ ask: Ask; close(): Promise<void> }> {
  const service = await startServer(
    readSettings({ PLAT_HOME: home, PORT: '0', PLAT_WORKERS: '1', PLAT_RATE_LIMIT: 'off', PLAT_LOG: 'error' }),
    catalog,
  );
  const token = await service.tokens.issue(await service.state.openAccount('someone@example.org', 'market'));
  return {
    async ask(path, body) {
      const response = await fetch(service.address + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const json = await response.json();
      expect(response.status, JSON.stringify(json)).toBe(200);
      return json;
    },
    close: () => service.drain(1000),
  };
}

/** What fetch says of the parcel, by the stored column that it says. */
const FETCHED = {
  parcel_apn: 'apn',
  parcel_address: 'address',
  parcel_assessed_value_usd: 'parval',
  parcel_last_sale_date: 'saledate',
  parcel_last_sale_price_usd: 'saleprice',
} as const;
const ASKED = [...Object.keys(FETCHED), 'parcel_area_m2'];

const timeless = (fields: Body): Body =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { fetched_at: _, ...entry }]: [string, Body]) => [name, entry]),
  );

/** Stored values of a row that a map of records must have. */
function expectStored(fields: Body, { properties, source }: StoredParcel): void {
  for (const [name, { type }] of Object.entries(PARCEL_ATTRIBUTES)) {
    const value = properties[name];
    if (!fields[name] || value === null || value === undefined || value === '' || (type as string) === 'timestamp')
      continue;
    const expected = (type as string) === 'date' ? String(value).slice(0, 10) : value;
    expect([name, fields[name].value, fields[name].source]).toEqual([name, expected, source]);
  }
}

/**
 * Asks everything that tells parcels about one of them, at its own point: match, fetch, lookup, enrichment, search and its
 * enrichment must name the same parcel, with the values of its row; where several lie there, no one of them.
 * @param all every parcel that may lie there. @param whole compares every field of both enrichments.
 */
export async function agree(
  ask: Ask,
  all: readonly StoredParcel[],
  parcel: StoredParcel,
  whole: boolean,
): Promise<'matched' | 'ambiguous'> {
  const { properties, state, source } = parcel;
  const point = { lat: properties.centroid_lat as number, lng: properties.centroid_lon as number };
  const { lat, lng } = point;
  const here = all.filter(
    ({ box, geometry }) =>
      lng >= box[0] && lng <= box[2] && lat >= box[1] && lat <= box[3] && holds(geometry, lng, lat),
  );
  expect(here).toContain(parcel);
  const stored = Object.keys(PARCEL_ATTRIBUTES).filter(name => (properties[name] ?? null) !== null);
  const enriched = await ask('/v1/enrich', whole ? point : { ...point, fields: [...new Set([...stored, ...ASKED])] });
  const { fields: fetched } = await ask('/v1/fetch', { ...point, fields: ASKED });
  const lookup = await ask('/v1/lookup', { input: `${lat},${lng}` });
  const { parcel_match: match } = enriched;
  if (here.length > 1) {
    expect(match.status).toBe('ambiguous');
    const numbers = here.map(p => p.properties.apn ?? null);
    for (const { apn } of match.candidates) expect(numbers).toContain(apn);
    expect(fetched.parcel_apn).toMatchObject({ status: 'absent', value: null });
    expect(lookup.parcel).toBeUndefined();
  } else {
    const apn = properties.apn ?? null;
    expect(match).toMatchObject({ status: 'matched', parcel: { apn, source, match_type: 'contains' } });
    expect(enriched.analysis_point).toMatchObject({ ...point, method: 'stored_parcel_centroid', source });
    expectStored(enriched.fields, parcel);
    expect(lookup.parcel).toMatchObject({
      apn,
      source,
      parcel_id: match.parcel.parcel_id,
      area_m2: fetched.parcel_area_m2.value,
      assessed_value_usd: properties.parval ?? null,
    });
    for (const [field, column] of Object.entries(FETCHED)) {
      expect([field, fetched[field].value]).toEqual([field, properties[column] ?? null]);
      expect([field, enriched.fields[field].value]).toEqual([field, properties[column] ?? null]);
      expect(fetched[field].source).toBe(source);
    }
  }
  if (typeof properties.apn !== 'string') return here.length > 1 ? 'ambiguous' : 'matched';
  const matches: Body[] = [];
  // One number may have more rows than a page: 151 in a stack of Bangor.
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: Body = await ask('/v1/search', {
      filters: [
        { field: 'state', op: 'eq', value: state },
        { field: 'apn', op: 'eq', value: properties.apn },
      ],
      fields: ['apn', 'acreage', 'parval', 'stack_count'],
      enrich: whole,
      limit: 100,
      ...(cursor ? { cursor } : {}),
    });
    matches.push(...page.matches);
    cursor = page.next_cursor;
  }
  const same = all.filter(p => p.state === state && p.properties.apn === properties.apn);
  expect(matches).toHaveLength(same.length);
  const found = matches[same.indexOf(parcel)];
  expect(found).toMatchObject({ apn: properties.apn, source, analysis_point: point });
  const values = ['apn', 'acreage', 'parval', 'stack_count'].map(name => [name, properties[name] ?? null]);
  expect(found.fields).toMatchObject(Object.fromEntries(values));
  if (whole) {
    expectStored(found.enrichment.fields, parcel);
    expect(found.enrichment.analysis_point).toMatchObject({ ...point, source });
    if (here.length === 1) expect(timeless(found.enrichment.fields)).toEqual(timeless(enriched.fields));
  }
  return here.length > 1 ? 'ambiguous' : 'matched';
}

/** Where a parcel stands, told by number and point. */
const nameOf = (apn: unknown, { lat, lng }: { readonly lat: unknown; readonly lng: unknown }) => `${apn} ${lat} ${lng}`;

/** Walks a search page by page to its end; the parcels in the order in which they came. */
export async function walk(ask: Ask, filters: readonly unknown[], limit: number): Promise<string[]> {
  const out: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Body = await ask('/v1/search', { filters, limit, ...(cursor ? { cursor } : {}) });
    for (const { apn, analysis_point } of page.matches) out.push(nameOf(apn, analysis_point));
    cursor = page.next_cursor;
    const wanted = cursor === null ? ['complete', 'exhausted'] : ['limited', 'limit_reached'];
    expect([page.status, page.completion_reason]).toEqual(wanted);
  } while (cursor !== null);
  return out;
}

/** As walk names them. */
export const namesOf = (parcels: readonly StoredParcel[]): string[] =>
  parcels.map(({ properties: p }) => nameOf(p.apn ?? null, { lat: p.centroid_lat, lng: p.centroid_lon }));
