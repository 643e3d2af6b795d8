import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../datasets/catalog.ts';
import { readSettings } from '../../query/engine/settings.ts';
import { FeatureFile } from '../../query/format/flatgeobuf.ts';
import { parcelId } from '../../query/format/parcel-id.ts';
import { openRelease } from '../../query/release/open-release.ts';
import { withheldPath } from '../../query/release/withheld/withheld-list.ts';
import { type Service, startServer } from '../../server/service.ts';
import { until } from '../contract/plat.ts';
import { inThisProcess } from '../in-this-process.ts';
import { folder } from '../pipelines/world/truth.ts';
import { siteAt } from '../server/sites/site-shapes.ts';
import { syntheticHome } from '../synthetic-home.ts';

const home = folder();
let service: Service;
let token: string;
/** The one parcel of an owner, and another owner's. */
let row: Record<string, unknown>;
let id: string;
let owner: string;
let mail: string;
let state: string;

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
  const words = (text: unknown) => String(text ?? '').split(' ').length;
  row = rows.find(
    one =>
      one.stack_count === 1 &&
      words(one.owner) >= 2 &&
      one.mailadd &&
      rows.filter(other => String(other.owner).includes(String(one.owner))).length === 1,
  )!;
  [id, owner, mail] = [parcelId(row.parcel_key as string), String(row.owner), String(row.mailadd)];
});
afterAll(async () => {
  await service?.drain(1000);
  rmSync(home, { recursive: true, force: true });
});

async function ask(method: 'GET' | 'POST', path: string, body?: object): Promise<string> {
  const response = await fetch(service.address + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(path.startsWith('/v1/fetch/batch') ? { 'idempotency-key': 'batch-before' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return `${response.status} ${await response.text()}`;
}
const post = (path: string, body: object) => ask('POST', path, body);
const json = async (asked: Promise<string>) => JSON.parse((await asked).slice(4));

const inState = () => ({ field: 'state', op: 'eq', value: state });
const ofOwner = () => [inState(), { field: 'owner', op: 'eq', value: owner }];
const point = () => ({ lat: row.centroid_lat, lng: row.centroid_lon });
const exported: Record<string, string> = {};

/** Waits for an export or a run. */
async function done(poll: string): Promise<void> {
  await until(
    () => json(ask('GET', poll)),
    ({ status }) => status === 'done' || status === 'failed',
  );
}

/** Submits an export of the parcel and reads its file. */
async function exportAs(format: string): Promise<string> {
  const apn = [inState(), { field: 'apn', op: 'eq', value: row.apn }];
  const made = await json(
    post('/v1/exports', { search: { filters: apn }, fields: ['owner', 'mailadd', 'parcel_owner'], format }),
  );
  await done(made.poll);
  const { files } = await json(ask('GET', made.poll));
  exported[format] = `${made.poll}/files/${files[0].name}`;
  return ask('GET', exported[format]!);
}

async function run(): Promise<string> {
  const request = { locations: [point()], fields: ['parcel_owner'] };
  const made = await json(post('/v1/runs', { kind: 'fetch_batch', request }));
  await done(made.poll);
  exported.run = made.poll;
  return ask('GET', made.poll);
}

/** Every door that tells an owner or is opened by one: its answer as text. Each tells the owner while nobody withholds it. */
const DOORS: Readonly<Record<string, () => Promise<string>>> = {
  fetch: () => post('/v1/fetch', { ...point(), fields: ['parcel_owner'] }),
  batch: () => post('/v1/fetch/batch', { locations: [point()], fields: ['parcel_owner'] }),
  run,
  enrich: () => post('/v1/enrich', { ...point(), preset: 'parcel' }),
  lookup: () => post('/v1/lookup', { input: `${row.centroid_lat},${row.centroid_lon}` }),
  'search, its outputs': () =>
    post('/v1/search', {
      filters: [inState(), { field: 'apn', op: 'eq', value: row.apn }],
      fields: ['owner', 'mailadd'],
    }),
  'search by owner': () => post('/v1/search', { filters: ofOwner(), fields: ['owner'] }),
  'search by the field': () =>
    post('/v1/search', {
      filters: [inState(), { field: 'parcel_owner', op: 'eq', value: owner }],
      fields: ['parcel_owner'],
    }),
  'search with everything': () => post('/v1/search', { filters: ofOwner(), enrich: true, limit: 1 }),
  'dossier of a site': async () => {
    const { site_id } = await json(
      post('/v1/sites', { site: siteAt({ lat: Number(row.centroid_lat), lng: Number(row.centroid_lon) }) }),
    );
    await until(
      () => json(ask('GET', `/v1/sites/${site_id}`)),
      ({ status }) => status !== 'building',
    );
    return ask('GET', `/v1/sites/${site_id}/dossier`);
  },
  rank: () =>
    post('/v1/rank', {
      filters: ofOwner(),
      order_by: [{ field: 'acreage', direction: 'asc' }],
      fields: ['owner', 'mailadd'],
    }),
  'groups by owner': () =>
    post('/v1/aggregate', { filters: [inState()], group_by: ['owner'], measures: [{ op: 'count' }], min_count: 1 }),
  'why not': () => post('/v1/search/explain', { filters: ofOwner(), parcel_id: id }),
  owners: () => post('/v1/owners', { state, name: owner, match: 'exact' }),
  suggestions: () => ask('GET', `/v1/suggest?q=${encodeURIComponent(owner)}&kinds=owner`),
  'features of OGC': () => ask('GET', `/v1/ogc/collections/parcels/items/${id}?f=json`),
  'features by owner': () =>
    ask(
      'GET',
      `/v1/ogc/collections/parcels/items?filter=${encodeURIComponent(`owner = '${owner.replaceAll("'", "''")}'`)}`,
    ),
  'export as CSV': () => exportAs('csv'),
  'export as GeoJSON': () => exportAs('geojsonseq'),
};

/** Doors that tell no name, but how many have it. */
const COUNTS: Readonly<Record<string, () => Promise<number>>> = {
  count: async () => (await json(post('/v1/search/count', { filters: ofOwner() }))).count,
  'count by a beginning': async () =>
    (
      await json(
        post('/v1/search/count', { filters: [inState(), { field: 'owner', op: 'starts_with', value: owner }] }),
      )
    ).count,
  'count by mailing address': async () =>
    (
      await json(
        post('/v1/search/count', {
          filters: [inState(), { field: 'mailadd', op: 'eq', value: mail }, { field: 'apn', op: 'eq', value: row.apn }],
        }),
      )
    ).count,
};

describe('an owner that an operator withholds', () => {
  it('is told by every door before', async () => {
    for (const [door, answer] of Object.entries(DOORS))
      expect([door, (await answer()).includes(owner)]).toEqual([door, true]);
    for (const [door, count] of Object.entries(COUNTS)) expect(await count(), door).toBe(1);
  });

  it('is told by none after, at once, and reads as absent with the reason', async () => {
    const said = await inThisProcess(home, 'withhold add', { parcel: id, note: 'request 17' });
    expect(said).toMatchObject({ status: 0, stdout: `${id}: withheld\n` });
    await new Promise(resolve => setTimeout(resolve, 1_300));
    for (const [door, answer] of Object.entries(DOORS)) {
      const text = await answer();
      // A warning says what no parcel has: what the caller asked for.
      const told = text.replaceAll(`owner \\"${owner}\\"`, '');
      expect([door, told.includes(owner), told.includes(mail)]).toEqual([door, false, false]);
    }
    for (const [door, count] of Object.entries(COUNTS)) expect(await count(), door).toBe(0);
    const { fields } = await json(post('/v1/enrich', { ...point(), preset: 'parcel' }));
    for (const name of ['owner', 'unmodified_owner', 'mailadd', 'parcel_owner'])
      expect(fields[name], name).toMatchObject({
        status: 'absent',
        value: null,
        notes: expect.stringMatching(/^withheld at/i),
      });
    expect(fields.owner_assemblage.status).toBe('absent');
    expect(fields.apn.value).toBe(row.apn);
  });

  it('is not in what was answered before, nor in files of it', async () => {
    expect(await ask('GET', exported.run!)).not.toContain(owner);
    for (const format of ['csv', 'geojsonseq']) {
      const { expires_at: _, ...detail } = await json(ask('GET', exported[format]!)).catch(() => ({}));
      expect(JSON.stringify(detail)).not.toContain(owner);
    }
  });

  it('is withheld by name too, whatever the order, and told again once it is taken from the list', async () => {
    await inThisProcess(home, 'withhold remove', { parcel: id });
    await until(DOORS.lookup!, text => text.includes(owner));
    expect(await DOORS.lookup!()).toContain(owner);
    const turned = owner.split(' ').reverse().join(' ');
    await inThisProcess(home, 'withhold add', { name: turned, state: 'zz' });
    await new Promise(resolve => setTimeout(resolve, 1_300));
    expect(await DOORS.lookup!()).toContain(owner);
    await inThisProcess(home, 'withhold add', { name: turned, state: state.toLowerCase() });
    await until(DOORS.lookup!, text => !text.includes(owner));
    expect(await DOORS['search by owner']!()).not.toContain(owner);
    const { stdout } = await inThisProcess(home, 'withhold list', { json: true });
    expect(JSON.parse(stdout)).toMatchObject([
      { name: turned, state: 'ZZ' },
      { name: turned, state },
    ]);
  });

  it('is withheld with all others where the list cannot be read', async () => {
    writeFileSync(withheldPath(home), '{"parcel_id": "pcl_');
    await until(DOORS.lookup!, text => !text.includes(owner));
    const { owners } = await json(post('/v1/owners', { state, name: 'smith' }));
    expect(owners).toEqual([]);
    await expect(inThisProcess(home, 'withhold list')).rejects.toThrow(/line 1 of the list/);
    await expect(inThisProcess(home, 'withhold add', { name: 'smith' })).rejects.toThrow();
  });
});
