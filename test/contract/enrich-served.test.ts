import { cpSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../datasets/catalog.ts';
import { enrichCatalogOf } from '../../datasets/enrich/enrich.ts';
import { readSettings } from '../../query/engine/settings.ts';
import { FeatureFile } from '../../query/format/flatgeobuf.ts';
import { openRelease } from '../../query/release/open-release.ts';
import { type Service, startServer } from '../../server/service.ts';
import { folder } from '../pipelines/world/truth.ts';
import { syntheticHome } from '../synthetic-home.ts';

interface Entry {
  readonly value: unknown;
  readonly status: string;
  readonly notes: string | null;
  readonly confidence: string;
  readonly source: string;
  readonly dataset_vintage: string | null;
  readonly fetched_at: string;
}
type Fields = Readonly<Record<string, Entry>>;

const { fields, names } = enrichCatalogOf(catalog);
const SHARED = names.filter(name => fields.get(name)!.kind === 'fetch');
const home = folder();
let service: Service;
let token: string;
/** Rows of parcels that share their ground with none. */
const parcels: Record<string, unknown>[] = [];

beforeAll(async () => {
  cpSync((await syntheticHome()).home, home, { recursive: true });
  service = await startServer(
    readSettings({ PLAT_HOME: home, PORT: '0', PLAT_WORKERS: '1', PLAT_RATE_LIMIT: 'off', PLAT_LOG: 'error' }),
    catalog,
  );
  token = await service.tokens.issue(await service.state.openAccount('someone@example.org', 'market'));
  const release = openRelease(home);
  for (const { files } of release.layer('parcel_store', 'main')!.partitions) {
    const file = new FeatureFile(release.pathOf(files.find(f => f.role === 'features')!));
    for (let ord = 0; ord < file.count; ord++) {
      const row = file.properties(ord);
      if (row.stack_count === 1) parcels.push(row);
    }
    file.close();
  }
});
afterAll(async () => {
  await service?.drain(1000);
  rmSync(home, { recursive: true, force: true });
});

async function post(path: string, body: unknown) {
  const response = await fetch(service.address + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  // biome-ignore lint/suspicious/noExplicitAny: what a body is, is what these tests find out
  return { status: response.status, json: (await response.json()) as any };
}
const pointOf = (row: Record<string, unknown>) => ({
  lat: row.centroid_lat as number,
  lng: row.centroid_lon as number,
});
const comparable = ({ fetched_at: _, ...entry }: Entry) => entry;

describe('enrichment of a served area', () => {
  it('agrees with fetch at the stored point and with the enrichment of a search, in every shared field', async () => {
    for (const row of [parcels[4]!, parcels[parcels.length >> 1]!, parcels.at(-3)!]) {
      const point = pointOf(row);
      const { status, json } = await post('/v1/enrich', point);
      expect(status).toBe(200);
      expect(json.parcel_match).toMatchObject({ status: 'matched', parcel: { apn: row.apn, match_type: 'contains' } });
      expect(json.analysis_point).toMatchObject({ ...point, method: 'stored_parcel_centroid' });
      expect(Object.keys(json.fields)).toEqual(names);
      expect(json.partial_failures).toEqual([]);
      const enriched = json.fields as Fields;

      const fetched: Record<string, Entry> = {};
      for (let i = 0; i < SHARED.length; i += 50) {
        const reply = await post('/v1/fetch', { ...point, fields: SHARED.slice(i, i + 50) });
        Object.assign(fetched, reply.json.fields);
      }
      const search = await post('/v1/search', {
        filters: [
          { field: 'state', op: 'eq', value: row.state2 },
          { field: 'apn', op: 'eq', value: row.apn },
        ],
        enrich: true,
      });
      const match = search.json.matches.find(
        (m: { analysis_point: { lat: number; lng: number } }) =>
          m.analysis_point.lat === point.lat && m.analysis_point.lng === point.lng,
      );
      const searched = match.enrichment.fields as Fields;
      expect(Object.keys(searched)).toEqual(names);
      for (const name of SHARED) {
        const { interpretation_hints: _, ...own } = comparable(enriched[name]!) as Record<string, unknown>;
        expect(own, name).toEqual(comparable(fetched[name]!));
      }
      for (const name of names) expect(comparable(enriched[name]!), name).toEqual(comparable(searched[name]!));
    }
  });

  it('answers an address by the parcel it stands on', async () => {
    let matched = 0;
    for (const row of parcels.filter(p => p.address && p.city && p.szip5).filter((_, i) => i % 20 === 0)) {
      const address = `${row.address}, ${row.city}, ${row.state2} ${row.szip5}`;
      const { status, json } = await post('/v1/enrich', { address, fields: ['apn', 'address'] });
      expect(status, address).toBe(200);
      // An unbuilt lot has no rooftop.
      expect('precision_note' in json.geocode, address).toBe(!json.geocode.parcel_grade);
      expect(json.resolved_location).toMatchObject({ source: 'address', lat: json.geocode.lat });
      if (json.parcel_match.status !== 'matched') continue;
      expect(json.fields.apn.value, address).toBe(row.apn);
      expect(json.parcel_match.parcel.parcel_id).toMatch(/^pcl_/);
      matched++;
    }
    expect(matched).toBeGreaterThan(3);
  });

  it('answers presets in their own order', async () => {
    const { json } = await post('/v1/enrich', { ...pointOf(parcels[9]!), preset: 'constraints', fields: ['apn'] });
    const constraints = new Set(enrichCatalogOf(catalog).presets.get('constraints'));
    expect(Object.keys(json.fields)).toEqual(names.filter(name => name === 'apn' || constraints.has(name)));
    expect(json.fields.parcel_constraint_zones.status).toBe('ok');
  });
});
