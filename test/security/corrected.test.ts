import { cpSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../datasets/catalog.ts';
import { readSettings } from '../../query/engine/settings.ts';
import { FeatureFile } from '../../query/format/flatgeobuf.ts';
import { parcelId } from '../../query/format/parcel-id.ts';
import { correctionsPath } from '../../query/release/corrections/correction-list.ts';
import { openRelease } from '../../query/release/open-release.ts';
import type { Receipt } from '../../server/receipts/document.ts';
import { type Service, startServer } from '../../server/service.ts';
import { PrivateServer } from '../../server/verification/private-server.ts';
import { recompute } from '../../server/verification/verification.ts';
import { until } from '../contract/plat.ts';
import { inThisProcess } from '../in-this-process.ts';
import { folder } from '../pipelines/world/truth.ts';
import { siteAt } from '../server/sites/site-shapes.ts';
import { syntheticHome } from '../synthetic-home.ts';

const LONG = process.env.PLAT_TEST === 'long';
const home = folder();
let service: Service;
let token: string;
let state: string;
/** A parcel alone on its ground. */
let row: Record<string, unknown>;
let id: string;
const [CODE, USE, ZONE, METRES] = ['ZZ-CORRECTED', 'Corrected use', 'V-CORRECTED', 7654];

beforeAll(async () => {
  cpSync((await syntheticHome()).home, home, { recursive: true });
  service = await startServer(
    readSettings({ PLAT_HOME: home, PORT: '0', PLAT_WORKERS: '1', PLAT_RATE_LIMIT: 'off', PLAT_LOG: 'error' }),
    catalog,
  );
  token = await service.tokens.issue(await service.state.openAccount('someone@example.org', 'market'));
  const release = openRelease(home);
  const [county] = release.layer('parcel_store', 'main')!.partitions;
  const file = new FeatureFile(release.pathOf(county!.files.find(({ role }) => role === 'features')!));
  const rows = Array.from({ length: file.count }, (_, i) => file.properties(i));
  file.close();
  state = county!.key.split('/')[0]!;
  row = rows.find(one => one.stack_count === 1 && one.usecode && one.usedesc && one.apn)!;
  id = parcelId(row.parcel_key as string);
});
afterAll(async () => {
  await service?.drain(1000);
  rmSync(home, { recursive: true, force: true });
});

async function ask(method: 'GET' | 'POST', path: string, body?: object, more: Record<string, string> = {}) {
  const reply = await fetch(service.address + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...more,
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: reply.status, text: await reply.text(), headers: reply.headers };
}
const post = async (path: string, body: object) => JSON.parse((await ask('POST', path, body)).text);
const point = () => ({ lat: row.centroid_lat as number, lng: row.centroid_lon as number });
const ofParcel = () => [
  { field: 'state', op: 'eq', value: state },
  { field: 'apn', op: 'eq', value: row.apn },
];
const evidence = { url: 'https://records.example.org/17', note: 'WORDS OF A STRANGER' };

const FIELDS = ['usecode', 'usedesc', 'fema_flood_zone', 'elevation'] as const;
/** Those among them that are no columns of parcels. */
const FETCHED = FIELDS.slice(2);
const WANTED: Readonly<Record<(typeof FIELDS)[number], unknown>> = {
  usecode: CODE,
  usedesc: USE,
  fema_flood_zone: ZONE,
  elevation: METRES,
};

/** Every door that has the three values, as it tells them. */
const DOORS: Readonly<Record<string, () => Promise<Partial<Record<(typeof FIELDS)[number], unknown>>>>> = {
  fetch: async () => {
    const { fields } = await post('/v1/fetch', { ...point(), fields: FETCHED });
    return Object.fromEntries(FETCHED.map(name => [name, fields[name].value]));
  },
  batch: async () => {
    const { results } = await post('/v1/fetch/batch', { locations: [point()], fields: FETCHED });
    return Object.fromEntries(FETCHED.map(name => [name, results[0].fields[name].value]));
  },
  enrich: async () => {
    const { fields } = await post('/v1/enrich', { ...point(), fields: FIELDS });
    return Object.fromEntries(FIELDS.map(name => [name, fields[name].value]));
  },
  'search, its outputs': async () => {
    const { matches } = await post('/v1/search', { filters: ofParcel(), fields: FIELDS });
    return matches[0].fields;
  },
  'search with everything': async () => {
    const { matches } = await post('/v1/search', { filters: ofParcel(), enrich: true, limit: 1 });
    return Object.fromEntries(FIELDS.map(name => [name, matches[0].enrichment.fields[name].value]));
  },
  'dossier of a site': async () => {
    const { site_id } = await post('/v1/sites', { site: siteAt(point()) });
    const read = async () => JSON.parse((await ask('GET', `/v1/sites/${site_id}`)).text);
    await until(read, ({ status }) => status !== 'building');
    const { records } = JSON.parse((await ask('GET', `/v1/sites/${site_id}/dossier`)).text);
    return Object.fromEntries(FETCHED.map(name => [name, records[name].value]));
  },
  rank: async () => {
    const order_by = [{ field: 'acreage', direction: 'asc' }];
    const { matches } = await post('/v1/rank', { filters: ofParcel(), order_by, fields: FIELDS });
    return matches[0].fields;
  },
  lookup: async () => {
    const { parcel, fema_flood_zone, elevation_m } = await post('/v1/lookup', {
      input: `${point().lat},${point().lng}`,
    });
    return { usedesc: parcel.land_use, fema_flood_zone, elevation: elevation_m };
  },
  'features of parcels': async () => {
    const { text } = await ask('GET', `/v1/ogc/collections/${PARCELS}/items/${id}`);
    const { usecode, usedesc } = JSON.parse(text).properties;
    return { usecode, usedesc };
  },
  export: async () => {
    const made = await post('/v1/exports', { search: { filters: ofParcel() }, fields: FIELDS, format: 'geojsonseq' });
    const read = async () => JSON.parse((await ask('GET', made.poll)).text);
    const { files } = await until(read, ({ status }) => status === 'done' || status === 'failed');
    const { text } = await ask('GET', `${made.poll}/files/${files[0].name}`);
    return JSON.parse(text.replaceAll('\u001e', '').trim().split('\n')[0]!).properties;
  },
};

/** The collection of parcels. */
const PARCELS = 'parcels';

/** How many parcels pass a filter for the corrected value. */
const COUNTS: Readonly<Record<string, (name: string, value: unknown) => Promise<number>>> = {
  count: async (field, value) =>
    (await post('/v1/search/count', { filters: [...ofParcel().slice(0, 1), { field, op: 'eq', value }] })).count,
  search: async (field, value) =>
    (await post('/v1/search', { filters: [...ofParcel().slice(0, 1), { field, op: 'eq', value }] })).matches.length,
  groups: async (field, value) => {
    const { groups } = await post('/v1/aggregate', {
      filters: [...ofParcel().slice(0, 1), { field, op: 'eq', value }],
      group_by: [field],
      measures: [{ op: 'count' }],
      min_count: 1,
    });
    return groups.reduce((sum: number, { count }: { count: number }) => sum + count, 0);
  },
};

describe('a value that somebody says is wrong', () => {
  const ids: string[] = [];
  let before: Awaited<ReturnType<(typeof DOORS)[string]>>;

  it('is answered as before until somebody has reviewed it', async () => {
    before = await DOORS.enrich!();
    for (const field of FIELDS) {
      const where = field === 'elevation' ? point() : { parcel_id: id };
      const { correction_id } = await post('/v1/corrections', { field, ...where, value: WANTED[field], evidence });
      ids.push(correction_id);
    }
    expect(ids.every(one => /^cor_/.test(one))).toBe(true);
    await inThisProcess(home, 'corrections review', { by: 'ada' }, [ids[0]!]);
    await new Promise(resolve => setTimeout(resolve, 500));
    for (const [door, told] of Object.entries(DOORS))
      for (const [name, value] of Object.entries(await told()))
        expect([door, name, value]).not.toEqual([door, name, WANTED[name as 'usecode']]);
  });

  it('is answered alike by every door once it is accepted, with what it is from', async () => {
    for (const one of ids) {
      const said = await inThisProcess(home, 'corrections accept', { by: 'ada', reason: 'It is so.' }, [one]);
      expect(said).toMatchObject({ status: 0, stdout: `${one} is accepted\n` });
    }
    await until(DOORS.fetch!, answers =>
      Object.entries(answers).every(([name, value]) => !(name in WANTED) || value === WANTED[name as 'usecode']),
    );
    await new Promise(resolve => setTimeout(resolve, 1_300));
    for (const [door, told] of Object.entries(DOORS)) {
      const values = await told();
      for (const [name, value] of Object.entries(WANTED))
        if (name in values) expect([door, name, values[name as 'usecode']]).toEqual([door, name, value]);
    }
    const { fields } = await post('/v1/enrich', { ...point(), fields: FIELDS });
    for (const [i, name] of FIELDS.entries())
      expect(fields[name], name).toMatchObject({
        status: 'ok',
        confidence: 'medium',
        source: expect.stringMatching(/^correction:\w+$/),
        source_url: evidence.url,
        dataset_vintage: new Date().toISOString().slice(0, 10),
        notes: expect.stringMatching(`${ids[i]}.*the source says ${String(before[name]).slice(0, 20)}`),
      });
    expect(JSON.stringify(fields)).not.toContain(evidence.note);
    const read = JSON.parse((await ask('GET', `/v1/corrections/${ids[0]}`)).text);
    expect(read).toMatchObject({ status: 'accepted', reason: 'It is so.' });
  });

  it('is named by what rests on what its source says, which is no surer than it', async () => {
    const names = ['within_floodplain_polygon', 'elevation_above_base_flood_m'];
    const fetched = (await post('/v1/fetch', { ...point(), fields: names })).fields;
    const enriched = (await post('/v1/enrich', { ...point(), fields: names })).fields;
    for (const name of names) {
      expect(fetched[name].notes, name).toMatch(
        /rests on was corrected here after review on .*follows from what the source says/i,
      );
      expect(['medium', 'low']).toContain(fetched[name].confidence);
      const { value, confidence, notes } = enriched[name];
      expect({ value, confidence, notes }, name).toEqual({
        value: fetched[name].value,
        confidence: fetched[name].confidence,
        notes: fetched[name].notes,
      });
    }
  });

  it('is found by filters, counted and grouped by its corrected value', async () => {
    for (const [how, count] of Object.entries(COUNTS))
      for (const name of FIELDS) expect([how, name, await count(name, WANTED[name])]).toEqual([how, name, 1]);
    const filter = encodeURIComponent(`usedesc = '${USE}'`);
    const { text } = await ask('GET', `/v1/ogc/collections/${PARCELS}/items?filter=${filter}`);
    expect(JSON.parse(text).features.map((one: { id: string }) => one.id)).toEqual([id]);
    expect(await COUNTS.count!('usecode', row.usecode)).toBeLessThan(await COUNTS.count!('state', state));
  });

  it('is one of the place alone where it is about a place', async () => {
    const away = { lat: point().lat + 0.0002, lng: point().lng };
    const { fields } = await post('/v1/fetch', { ...away, fields: ['elevation'] });
    expect(fields.elevation.value).not.toBe(METRES);
    expect(fields.elevation.source).not.toMatch(/^correction/);
  });

  it('stands in the receipt, and is computed again with it', async () => {
    const questions = [
      ['/v1/fetch', { ...point(), fields: ['elevation', 'fema_flood_zone'] }],
      ['/v1/search', { filters: [...ofParcel(), { field: 'usecode', op: 'eq', value: CODE }], fields: ['usedesc'] }],
      ['/v1/lookup', { input: `${point().lat},${point().lng}` }],
    ] as const;
    const given = [];
    for (const [path, body] of questions) {
      const { text, headers } = await ask('POST', path, body, { 'x-service-receipt': '1' });
      const receipt: Receipt = JSON.parse((await ask('GET', `/v1/receipts/${headers.get('x-service-receipt')}`)).text);
      given.push({ path, body, text, receipt });
    }
    const entries = given.flatMap(({ receipt }) => receipt.release.corrections!.entries);
    expect([...new Set(entries.map(({ correction_id: one }) => one))].sort()).toEqual([...ids].sort());
    // A lookup tells all of them but the code of the use.
    expect(given.at(-1)!.receipt.release.corrections).toMatchObject({ count: 3 });
    // Another server takes seconds to start.
    if (!LONG) return;
    await using server = await PrivateServer.start(home, given[0]!.receipt.release.id, entries);
    for (const { path, body, text, receipt } of given) {
      const { check, differences } = await recompute(server, receipt, body, Buffer.from(text));
      expect([path, check.right, differences]).toEqual([path, true, []]);
    }
  }, 60_000);

  it('is answered as its source has it again once it is taken back', async () => {
    for (const one of ids) await inThisProcess(home, 'corrections reject', { reason: 'It is not.' }, [one]);
    await until(DOORS.fetch!, answers =>
      Object.entries(answers).every(([name, value]) => value !== WANTED[name as 'usecode']),
    );
    await new Promise(resolve => setTimeout(resolve, 1_300));
    for (const [door, told] of Object.entries(DOORS))
      for (const [name, value] of Object.entries(await told()))
        if (name in WANTED) expect([door, name, value]).toEqual([door, name, before[name as 'usecode']]);
    expect(await COUNTS.count!('usecode', CODE)).toBe(0);
    const { fields } = await post('/v1/enrich', { ...point(), fields: FIELDS });
    expect(JSON.stringify(fields)).not.toMatch(/correct/);
    rmSync(correctionsPath(home));
  });
});
