import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PARTS } from '../../../datasets/place/place-definition.ts';
import { parsePlace, readPlaceFile } from '../../../pipelines/place/place-schema.ts';
import { plan } from '../../../pipelines/place/plan.ts';
import { type RunReport, run } from '../../../pipelines/run.ts';
import { createCache } from '../../../query/release/cache.ts';
import { Layers } from '../../../query/release/layers.ts';
import { openRelease } from '../../../query/release/open-release.ts';
import { SILENT } from '../silent.ts';
import { feature, folder, square } from '../village.ts';

const example = (name: string) => fileURLToPath(new URL(`../../../docs/place-examples/${name}`, import.meta.url));
const lot = (x: number, properties: Record<string, unknown>) =>
  feature('Polygon', [square(x, 44.01)], {
    KIND: 'lot',
    ST_NUM: null,
    ST_NAME: null,
    ST_TYPE: null,
    AREA_SF: null,
    ...properties,
  });
const collection = (...features: unknown[]) => JSON.stringify({ type: 'FeatureCollection', features });

/** What the hamlet publishes. */
const SOURCES = {
  'hamlet/boundary.geojson': collection(feature('Polygon', [square(-69, 44, 0.2)])),
  'hamlet/parcels.geojson': collection(
    lot(-68.99, { MAP_LOT: '1-2', ST_NUM: 12, ST_NAME: 'HIGH', ST_TYPE: 'ST', AREA_SF: 43_560 }),
    lot(-68.97, { MAP_LOT: '1-3', ST_NUM: 14, ST_NAME: 'HIGH', ST_TYPE: 'ST' }),
    lot(-68.95, { MAP_LOT: '1-4' }),
    lot(-68.93, { MAP_LOT: null, KIND: 'water' }),
    lot(-68.91, { MAP_LOT: null, KIND: 'easement' }),
  ),
  'hamlet/roll.csv':
    'PIN,OWNER,LAND,BUILDING,USE,SOLD\n1-2,Ann,1000,2000,101,01/31/2020\n1-2,Bob,500,,101,02/28/2021\n1-3,Cid,0,70,390,\n',
  'hamlet/addresses.csv': 'ID,PARCEL,ST_NUM,ST_NAME,ST_TYPE,ZIP\na,1-2,12,HIGH,ST,4401\nb,9-9,99,LOW,RD,4401\n',
  'hamlet/zoning.csv': 'DISTRICT;SHAPE\nR-1;z1\nFarm;z2\n',
  'hamlet/zoning_shapes.geojson': collection(
    feature('Polygon', [square(-68.99, 44.05)], { ID: 'z1' }),
    feature('Polygon', [square(-68.97, 44.05)], { ID: 'z2' }),
  ),
  'hamlet/flood.geojson': collection(feature('Polygon', [square(-68.99, 44.08)], { ZONE: 'AE' })),
  'national/risk.csv': 'STCOFIPS,RISK_SCORE,RISK_RATNG\n1001,12.5,Very Low\n23019,40,Relatively Low\n',
};

const home = folder();
const sources = folder();
let report: RunReport;
beforeAll(async () => {
  for (const [name, text] of Object.entries(SOURCES)) {
    mkdirSync(dirname(join(sources, name)), { recursive: true });
    writeFileSync(join(sources, name), text);
  }
  report = await run({
    home,
    sources,
    place: readPlaceFile(example('hamlet.yaml')),
    threads: 0,
    progress: SILENT,
  });
}, 120_000);
afterAll(() => {
  for (const path of [home, sources]) rmSync(path, { recursive: true, force: true });
});

async function features(dataset: string, layer: string, from = home): Promise<Record<string, unknown>[]> {
  const layers = new Layers(openRelease(from), createCache(64));
  const [partition] = layers.release.layer(dataset, layer)!.partitions;
  const { file } = await layers.features(partition!);
  return Array.from({ length: file.count }, (_, i) => file.properties(i) as Record<string, unknown>);
}

describe('the example of docs/places.md', () => {
  it('reads exactly the files that it names', async () => {
    const planned = await plan(readPlaceFile(example('hamlet.yaml')), sources);
    expect(planned.missing).toEqual([]);
    expect(planned.sources.map(s => s.file).sort()).toEqual(Object.keys(SOURCES).sort());
  });

  it('is ingested as its comments say', async () => {
    expect(report.counts.map(c => [c.dataset, c.read, c.written, c.skipped, c.rejected])).toEqual([
      ['parcel_store', 5, 3, 1, 0],
      ['usdot_nad', 2, 1, 0, 1],
      ['local_zoning', 2, 2, 0, 0],
      ['fema_nfhl', 1, 1, 0, 0],
      ['fema_nri', 2, 2, 0, 0],
    ]);
    expect(report.counts[0]!.ground).toEqual({ water: 1 });
    const parcels = new Map((await features('parcel_store', 'main')).map(p => [p.apn, p]));
    expect(parcels.get('1-2')).toMatchObject({
      apn_no_formatting: '12',
      geoid: '23019',
      address: '12 HIGH ST',
      owner: 'Ann; Bob',
      landval: 1500,
      usedesc: 'Residential',
      saledate: '2020-01-31',
      deeded_acres: 1,
    });
    // One of the two lines has no value, so their sum is not known.
    expect(parcels.get('1-2')!.improvval ?? null).toBeNull();
    expect(parcels.get('1-3')).toMatchObject({ owner: 'Cid', improvval: 70, usedesc: 'Commercial' });
    expect(parcels.get('1-3')!.landval ?? null).toBeNull();
    expect(parcels.get('1-4')!.address ?? null).toBeNull();
    expect((await features('usdot_nad', 'main'))[0]).toMatchObject({
      StNam_Full: 'High St',
      Zip_Code: '04401',
      Placement: 'Parcel - Other',
    });
    expect((await features('local_zoning', 'main')).map(z => z.ZONE).sort()).toEqual(['R1', 'other']);
    expect(report.counts[0]!.joins).toMatchObject([{ joined: 2, unjoined: 1, several: 1 }]);
  });

  it('says what is not published and where the values come from', () => {
    const release = openRelease(home);
    const [flood] = release.layer('fema_nfhl', 'S_FLD_HAZ_AR')!.partitions;
    expect(flood!.unpublished).toEqual(expect.arrayContaining(["FLD_ZONE = 'X'", 'STATIC_BFE']));
    expect(flood!.provenance).toMatchObject({ publisher: 'Town of Hamlet', vintage: '1987' });
    const [risk] = release.layer('fema_nri', 'county')!.partitions;
    expect(risk).toMatchObject({ place: 'national', provenance: { publisher: 'FEMA', licence: 'CC0-1.0' } });
  });
});

describe('docs/places.md', () => {
  const text = readFileSync(new URL('../../../docs/places.md', import.meta.url), 'utf8');

  it('shows the error that a misspelt column gives', () => {
    const lines = () =>
      parsePlace(readFileSync(example('hamlet.yaml'), 'utf8').replace('{ ZONE:', '{ ZONES:'), 'hamlet.yaml');
    const shown = /^hamlet\.yaml:.*$/m.exec(text)![0];
    expect(shown).toContain('unknown column');
    expect(lines).toThrow(shown);
  });

  it('explains every key and every word of a place file', () => {
    const named = (schema: unknown): string[] => {
      if (typeof schema !== 'object' || schema === null) return [];
      const { properties = {} } = schema as { properties?: object };
      return [...Object.keys(properties), ...Object.values(schema).flatMap(named)];
    };
    const keys = [...new Set(named(PARTS))];
    expect(keys.length).toBeGreaterThan(70);
    expect(keys.filter(key => !RegExp(`[\`.{ ]${key}[\`:]`).test(text))).toEqual([]);
    for (const word of ['reject', 'first', 'sum', 'count', 'list', 'null']) expect(text).toContain(`| \`${word}\` |`);
  });

  it('has a description of every key of the definition', () => {
    const silent = Object.entries(PARTS).flatMap(([part, schema]) =>
      Object.entries((schema as { properties?: Record<string, { description?: string }> }).properties ?? {})
        .filter(([, { description }]) => !description)
        .map(([key]) => `${part}.${key}`),
    );
    expect(silent).toEqual([]);
  });
});

describe('the template of docs/places.md', () => {
  it('is ingested by a county that extends it', async () => {
    const other = folder();
    const county = readPlaceFile(example('county.yaml'));
    await run({ home: other, sources, place: county, threads: 0, progress: SILENT });
    const parcels = await features('parcel_store', 'main', other);
    expect(parcels.map(p => p.apn).sort()).toEqual(['1-2', '1-3', '1-4']);
    const [partition] = openRelease(other).layer('parcel_store', 'main')!.partitions;
    expect(partition).toMatchObject({ key: 'ME/23019', provenance: { publisher: 'State of Maine', vintage: '2025' } });
    expect(partition!.unpublished).toContain('deeded_acres');
    rmSync(other, { recursive: true, force: true });
  });

  it('is not ingested itself', () => {
    expect(() => readPlaceFile(example('state.yaml'))).toThrow('a template is not ingested itself');
  });
});
