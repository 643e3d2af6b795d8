import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Place } from '../../../datasets/place/place.ts';
import type { IngestCount } from '../../../datasets/release.ts';
import { unaddressedLines } from '../../../pipelines/commands/count-lines.ts';
import { run } from '../../../pipelines/run.ts';
import { type ListedReject, listRejects } from '../../../pipelines/steps/rejected/list.ts';
import { createEngine } from '../../../query/engine/engine.ts';
import type { Engine } from '../../../query/engine/engine-interface.ts';
import { AddressIndex } from '../../../query/geocode/index/address-index.ts';
import { AddressIndexBuilder } from '../../../query/geocode/index/address-index-builder.ts';
import { addressPartitions } from '../../../query/geocode/index/address-partition.ts';
import { createCache } from '../../../query/release/cache.ts';
import { Layers } from '../../../query/release/layers.ts';
import { openRelease } from '../../../query/release/open-release.ts';
import { SILENT } from '../silent.ts';
import { feature, folder, provenance, square, writeFiles } from '../village.ts';

/** Columns of an OpenAddresses file. */
const OPENADDRESSES = [
  'LON,LAT,NUMBER,STREET,UNIT,CITY,DISTRICT,REGION,POSTCODE,ID,HASH',
  '-68.91,44.11,12,HIGH ST,,HAMLET,,ME,04999,,a1',
  '-68.9105,44.11,14,HIGH ST,,HAMLET,,ME,04999,,a2',
  '-68.911,44.11,,HIGH ST,,HAMLET,,ME,04999,,a3',
  '-68.912,44.11,,VACANT LAND,,HAMLET,,ME,04999,,a4',
].join('\n');

const hamlet: Place = {
  name: 'hamlet',
  title: 'A hamlet',
  state: 'ME',
  county: '23019',
  coverage: { file: 'boundary.geojson' },
  layers: [
    {
      dataset: 'usdot_nad',
      layer: 'main',
      file: 'openaddresses.csv',
      options: { x: 'LON', y: 'LAT', crs: 'EPSG:4326' },
      columns: {
        UUID: 'HASH',
        Add_Number: { from: 'NUMBER', patterns: [{ match: '^(\\d+)', value: '$1' }] },
        AddNo_Full: 'NUMBER',
        StNam_Full: 'STREET',
        Post_City: { from: 'CITY', case: 'title' },
        State: 'REGION',
        Zip_Code: 'POSTCODE',
      },
      unpublished: ['St_Name'],
      provenance,
    },
    {
      dataset: 'census_tiger',
      layer: 'roads',
      file: 'addrfeat.geojson',
      columns: {
        LINEARID: 'LINEARID',
        FULLNAME: 'FULLNAME',
        LFROMADD: 'LFROMHN',
        LTOADD: 'LTOHN',
        RFROMADD: 'RFROMHN',
        RTOADD: 'RTOHN',
        ZIPL: 'ZIPL',
        ZIPR: 'ZIPR',
      },
      unpublished: ['MTFCC', 'RTTYP'],
      provenance,
    },
    {
      dataset: 'census_tiger',
      layer: 'place',
      file: 'boundary.geojson',
      columns: { GEOID: { const: '2399999' }, NAMELSAD: { const: 'Hamlet town' }, CLASSFP: { const: 'C1' } },
      provenance,
    },
  ],
};

const home = mkdtempSync(join(tmpdir(), 'plat-addresses-'));
const sources = folder();
let engine: Engine;
let counts: readonly IngestCount[];
beforeAll(async () => {
  writeFileSync(join(sources, 'openaddresses.csv'), OPENADDRESSES);
  writeFiles(sources, {
    'boundary.geojson': [feature('Polygon', [square(-69, 44, 0.2)])],
    'addrfeat.geojson': [
      feature(
        'LineString',
        [
          [-68.9, 44.1],
          [-68.89, 44.1],
        ],
        {
          LINEARID: '1',
          FULLNAME: 'Low Rd',
          LFROMHN: '101',
          LTOHN: '199',
          RFROMHN: '100',
          RTOHN: '198',
          ZIPL: '04999',
          ZIPR: '04998',
        },
      ),
      feature(
        'LineString',
        [
          [-68.89, 44.1],
          [-68.89, 44.11],
        ],
        {
          LINEARID: '2',
          FULLNAME: 'State Rte 7',
          LFROMHN: null,
          LTOHN: null,
          RFROMHN: null,
          RTOHN: null,
          ZIPL: null,
          ZIPR: null,
        },
      ),
    ],
  });
  ({ counts } = await run({ home, sources, place: hamlet, threads: 1, progress: SILENT }));
  engine = await createEngine({ home, workers: 1, queue: 4, memoryMb: 64 });
}, 120_000);
afterAll(async () => {
  await engine.close();
  for (const path of [home, sources]) rmSync(path, { recursive: true, force: true });
});
const ask = (address: string) => engine.geocode(address, { deadline: Date.now() + 60_000 });

describe('the address index of a partition', () => {
  it('is written at ingest beside the features, equal to one that is made from them', async () => {
    const layers = new Layers(openRelease(home), createCache(64));
    const parts = addressPartitions(layers);
    expect(parts.map(p => [p.source.dataset, p.partition.key, p.partition.files.map(f => f.role)])).toEqual([
      ['usdot_nad', 'ME', expect.arrayContaining(['features', 'addresses'])],
      ['census_tiger', 'ME', expect.arrayContaining(['features', 'addresses'])],
    ]);
    for (const { source, partition } of parts) {
      const stored = layers.file(partition, 'addresses');
      const { file } = await layers.features(partition);
      const builder = new AddressIndexBuilder();
      for (let i = 0; i < file.count; i++) {
        const { points, segments } = source.rows(file.properties(i), file.geometry(i));
        for (const point of points) builder.add(point);
        for (const segment of segments) builder.addSegment(segment);
      }
      const index = AddressIndex.open(layers.release.pathOf(stored));
      const made = AddressIndex.of(builder.finish());
      expect(index.streets).toBe(made.streets);
      expect(index.streets).toBeGreaterThan(0);
      for (let id = 0; id < index.streets; id++) {
        expect(index.entry(id)).toEqual(made.entry(id));
        expect(index.pointsOf(id)).toEqual(made.pointsOf(id));
        expect(index.segmentsOf(id)).toEqual(made.segmentsOf(id));
      }
      index.close();
    }
  });

  it('answers OpenAddresses points, and ranges of the address range files with the ZIP code of the side', async () => {
    expect((await ask('14 High Street, Hamlet, ME')).matches).toMatchObject([
      {
        lng: -68.9105,
        lat: 44.11,
        accuracyType: 'rooftop',
        normalizedAddress: '14 HIGH ST, HAMLET, ME 04999',
        source: 'village_files',
      },
    ]);
    const left = (await ask('150 Low Rd, Hamlet, ME')).matches[0]!;
    expect(left).toMatchObject({
      accuracyType: 'range_interpolation',
      normalizedAddress: '150 LOW RD, HAMLET, ME 04998',
      countyFips: null,
    });
    expect(left.lng).toBeCloseTo(-68.9 + (50 / 98) * 0.01, 6);
    expect((await ask('149 Low Rd, Hamlet, ME')).matches[0]).toMatchObject({
      normalizedAddress: '149 LOW RD, HAMLET, ME 04999',
    });
    expect((await ask('Low Rd & ME-7, Hamlet, ME')).matches[0]).toMatchObject({
      accuracyType: 'intersection',
      lng: -68.89,
      lat: 44.1,
    });
  });

  it('counts and lists the lines that name no street', async () => {
    expect(counts.map(({ file, written, unaddressed }) => [file, written, unaddressed])).toContainEqual([
      'openaddresses.csv',
      4,
      1,
    ]);
    expect(unaddressedLines(counts)).toEqual([expect.stringContaining('openaddresses.csv: 1 of 4 rows')]);
    const release = openRelease(home);
    const wanted = { layer: 'usdot_nad:main', repaired: false };
    const listed = async (addresses: boolean) => {
      const rejects: ListedReject[] = [];
      for await (const reject of listRejects(join(home, 'releases'), release.manifest, { ...wanted, addresses }))
        rejects.push(reject);
      return rejects;
    };
    expect(await listed(true)).toMatchObject([
      { action: 'unaddressed', row: 4, id: 'a4', reason: '"VACANT LAND" names no street' },
    ]);
    expect(await listed(false)).toEqual([]);
  });

  it('stops for a caller that has gone', async () => {
    const gone = new AbortController();
    gone.abort();
    await expect(
      engine.geocode('14 High St, Hamlet, ME', { deadline: Date.now() + 60_000, signal: gone.signal }),
    ).rejects.toThrow('aborted');
  });

  it('is told when it is damaged', async () => {
    const release = openRelease(home);
    const file = release.layer('usdot_nad', 'main')!.partitions[0]!.files.find(f => f.role === 'addresses')!;
    const path = release.pathOf(file);
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.subarray(0, bytes.length - 5));
    await expect(ask('14 High St, Hamlet, ME')).rejects.toMatchObject({
      name: 'TaskFailed',
      late: false,
      message: expect.stringContaining('damaged'),
    });
    writeFileSync(path, bytes);
    expect((await ask('14 High St, Hamlet, ME')).matches).toHaveLength(1);
  });

  it('is refused when it is none', () => {
    for (const bytes of [
      new Uint8Array(4),
      Buffer.from('PLATADR1\u00ff\u00ff\u00ff\u00ff'),
      Buffer.from('PLATADR1\u0002\u0000\u0000\u0000{}'),
    ])
      expect(() => AddressIndex.of(bytes)).toThrow();
    const path = join(sources, 'none.adr');
    writeFileSync(path, 'nothing');
    expect(() => AddressIndex.open(path)).toThrow('none.adr is damaged');
  });
});
