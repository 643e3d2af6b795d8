import { beforeAll, expect, it } from 'vitest';
import { catalog } from '../../../../datasets/catalog.ts';
import { search } from '../../../../query/engine/search-task.ts';
import { parcelCounts } from '../../../../query/parcel/parcel-counts.ts';
import { createCache } from '../../../../query/release/cache.ts';
import { Layers } from '../../../../query/release/layers.ts';
import { currentId, openReleaseById, type Release, releaseOf } from '../../../../query/release/open-release.ts';
import type { WrittenPage } from '../../../../query/search/page/written-page.ts';
import { areaTest, type Test } from '../../../../query/search/request/filter.ts';
import { storedParcels } from '../../../agreement/parcels.ts';
import { fromGeoJSON } from '../../../oracle/geojson.ts';
import { syntheticHome } from '../../../synthetic-home.ts';
import { BUDGET } from '../agreement.ts';
import { textOf } from '../page-text.ts';

let release: Release;
let parcels: readonly Readonly<Record<string, unknown>>[];
beforeAll(async () => {
  const { home } = await syntheticHome();
  release = openReleaseById(home, currentId(home)!);
  parcels = (await storedParcels(home)).filter(({ state }) => state === 'NH').map(({ properties }) => properties);
}, 120_000);

const cache = createCache(256);
const STATE: Test = { name: 'state', kind: 'state', op: 'eq', operands: ['NH'] };
const of = (name: string, op: Test['op'], operands: Test['operands'], kind: Test['kind'] = 'string'): Test => ({
  ...{ name, kind, op, operands },
});

async function told(tests: readonly Test[], limit = 100, areas: Parameters<typeof areaTest>[1][] = []) {
  const filters = { tests: [STATE, ...tests], areas: areas.map(area => areaTest('intersects', area, 'a')) };
  const request = { filters, outputs: [], countyByFips: false, limit, after: null, budget: BUDGET };
  const environment = { release, catalog, cache, deadline: Date.now() + 60_000, stopped: () => false };
  const page = (await search(request, environment)) as WrittenPage;
  return page.notices ?? [];
}

it('a column without any value is told, of every kind, and which', async () => {
  const nh = release.layer('parcel_store', 'main')!.partitions.find(({ key }) => key.startsWith('NH'))!;
  const { values } = await parcelCounts(new Layers(release, cache), catalog, nh, () => {});
  const numbers = Object.keys(values).filter(name => catalog.fields.get(name)?.type === 'number');
  const empty = numbers.filter(name => values[name] === 0);
  expect(empty.length).toBeGreaterThan(0);
  for (const name of empty)
    expect(await told([of('acreage', 'gt', [0], 'number'), of(name, 'gte', [-1e9], 'number')]), name).toEqual([
      { kind: 'no_value', name, counties: ['33999'] },
    ]);
  for (const name of numbers.filter(one => values[one]! > 0).slice(0, 40))
    expect(await told([of(name, 'gt', [1e12], 'number')]), name).toEqual([]);
  expect(await told([of('alt_apn1', 'ne', ['X'])])).toEqual([
    { kind: 'no_value', name: 'alt_apn1', counties: ['33999'] },
  ]);
  // What has values and is passed by none is a finding.
  expect(await told([of('acreage', 'gt', [1e9], 'number')])).toEqual([]);
  expect(await told([of('acreage', 'gt', [0], 'number')])).toEqual([]);
});

it('a text that no parcel has is told, with the one that differs by case only', async () => {
  const city = String(parcels.find(p => p.city)!.city);
  expect(await told([of('city', 'eq', [city.toLowerCase()], 'city')])).toEqual([]);
  expect(await told([of('city', 'eq', ['bangr'], 'city')])).toEqual([
    { kind: 'no_such_value', name: 'city', value: 'bangr', but: null },
  ]);
  const owner = String(
    parcels.find(p => typeof p.owner === 'string' && p.owner !== String(p.owner).toLowerCase())!.owner,
  );
  expect(await told([of('owner', 'eq', [owner])])).toEqual([]);
  expect(await told([of('owner', 'eq', [owner.toLowerCase()])])).toEqual([
    { kind: 'no_such_value', name: 'owner', value: owner.toLowerCase(), but: owner },
  ]);
  // Of a list what is missing, also where the others are found, and of `ne`.
  const missing = [{ kind: 'no_such_value', name: 'owner', value: 'Nobody', but: null }];
  expect(await told([of('owner', 'in', [owner, 'Nobody'])])).toEqual(missing);
  expect(await told([of('owner', 'ne', ['Nobody'])], 100_000)).toEqual(missing);
  // A page that goes on says nothing yet.
  expect(await told([of('owner', 'ne', ['Nobody'])], 1)).toEqual([]);
});

it('counties that the release lacks are told, areas without parcels are not', async () => {
  expect(await told([of('county', 'eq', ['33001'], 'county')])).toEqual([{ kind: 'no_county' }]);
  const ring: [number, number][] = [
    [-100, 40],
    [-99, 40],
    [-99, 41],
    [-100, 40],
  ];
  expect(await told([], 10, [fromGeoJSON({ type: 'Polygon', coordinates: [ring] })])).toEqual([]);
});

it('a calculation that was not carried out in a county leaves its parcels unknown, not without matches', async () => {
  const [nh] = release.layer('parcel_store', 'main')!.partitions.filter(({ key }) => key.startsWith('NH'));
  const { manifest } = release;
  const features = nh!.files.find(({ role }) => role === 'features')!.sha256;
  const whole = manifest.overlays![features]!;
  const elevation = Object.entries(whole).filter(([, { fields }]) => fields.includes('elevation'));
  expect(elevation).toHaveLength(1);
  const left = Object.fromEntries(Object.entries(whole).filter(([name]) => name !== elevation[0]![0]));
  const bare = releaseOf(release.home, { ...manifest, overlays: { ...manifest.overlays, [features]: left } });
  const page = async (tests: readonly Test[], outputs: readonly string[] = []) => {
    const request = { filters: { tests: [STATE, ...tests], areas: [] }, outputs, countyByFips: false, limit: 3 };
    const environment = { release: bare, catalog, cache, deadline: Date.now() + 60_000, stopped: () => false };
    const found = (await search({ ...request, after: null, budget: BUDGET }, environment)) as WrittenPage;
    return { ...found, matches: JSON.parse(Buffer.from(textOf(found.matches)).toString()) };
  };
  const above = of('elevation', 'gt', [-1e9], 'number');
  const unknown = await page([above]);
  expect(unknown).toMatchObject({
    ...{ matches: [], status: 'partial', reason: 'field_data_unavailable', next: null },
    notices: [{ kind: 'not_calculated', name: 'elevation' }],
  });
  // Whoever fails another filter is no match, whatever its elevation.
  expect(await page([above, of('acreage', 'gt', [1e9], 'number')])).toMatchObject({ matches: [], status: 'complete' });
  // A match stays one whose output is not known.
  const matches = await page([], ['elevation']);
  expect(matches).toMatchObject({ status: 'partial', reason: 'field_data_unavailable' });
  expect(matches.matches).toHaveLength(3);
  for (const match of matches.matches)
    expect(match).toMatchObject({ fields: { elevation: null }, field_status: { elevation: 'failed' } });
});
