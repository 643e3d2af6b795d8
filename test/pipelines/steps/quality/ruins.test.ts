import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Place } from '../../../../datasets/place/place.ts';
import { Ledger } from '../../../../pipelines/ledger/ledger.ts';
import { plan } from '../../../../pipelines/place/plan.ts';
import type { Breach, QualityError } from '../../../../pipelines/steps/quality/breach.ts';
import { toUtm19 } from '../../../../pipelines/world/format/crs.ts';
import { fromGeoJSON, type Shape } from '../../../oracle/geojson.ts';
import { feature } from '../../village.ts';
import { american, building, buildings, european, Hamlet, hamlet, having, ROWS } from './hamlet.ts';

let at: Hamlet;
beforeEach(() => {
  at = new Hamlet();
});
afterEach(() => {
  for (const path of [at.home, at.sources]) rmSync(path, { recursive: true, force: true });
});

/** Names of the files in the store. */
const stored = () =>
  readdirSync(join(at.releases, 'files'), { recursive: true, withFileTypes: true })
    .flatMap(entry => (entry.isFile() ? [entry.name] : []))
    .sort();

/** What an ingest refuses; nothing may have changed by it. */
async function refused(place: Place = hamlet, accept: readonly string[] = []): Promise<readonly Breach[]> {
  const before = at.current;
  const files = stored();
  const error = await at.ingest(place, { accept }).then(
    () => expect.fail('it was published'),
    (e: QualityError) => e,
  );
  expect(at.current).toEqual(before);
  // What was built is kept for the run that accepts it, and nothing else is.
  const ledger = new Ledger(at.releases);
  const pending = [...ledger.pending()].map(path => basename(path));
  ledger.close();
  expect(stored()).toEqual([...new Set([...files, ...pending])].sort());
  expect(error.message).toContain(`Nothing was published; release ${before.id} stays the current one.`);
  for (const { key, what } of error.breaches) {
    expect(error.message).toContain(`accept it once with --accept ${key}`);
    expect(error.message).toContain(what);
  }
  return error.breaches;
}

/** The message of a file that no flag lets through: nothing of it can be used. */
async function unusable(): Promise<string> {
  const before = at.current;
  const error = await at.ingest(hamlet, { accept: ['hamlet'] }).then(
    () => expect.fail('it was published'),
    (e: Error) => e,
  );
  expect(at.current).toEqual(before);
  return error.message;
}

const swapped = (i: number) => {
  const { geometry, properties } = building(i);
  const [ring] = geometry!.coordinates as number[][][];
  return feature('Polygon', [ring!.map(([x, y]) => [y!, x!])], properties);
};

describe('a source in ruins publishes nothing and says why', () => {
  it('shrunk by 99.95 %; the flag lets it through once, and the release says so', async () => {
    await at.ingestFirst();
    at.publish([building(1)]);
    const [breach, ...rest] = await refused();
    expect(rest).toEqual([]);
    expect(breach).toMatchObject({
      key: 'hamlet/fema_usa_structures:main/rows',
      file: 'buildings.geojson',
      layer: 'fema_usa_structures:main',
      rows: 1,
      what: '1 row, 2000 in the last release (−99.95 %; −5 % to +20 % may be)',
    });
    const report = await at.ingest(hamlet, { accept: [breach!.key], now: new Date('2026-05-06T12:00:00Z') });
    expect(report).toMatchObject({ changed: true, idleFlags: [] });
    const accepted = [{ place: 'hamlet', key: breach!.key, what: breach!.what, on: '2026-05-06' }];
    expect(report.accepted).toEqual(accepted);
    expect(at.current.accepted).toEqual(accepted);
    // What serves is the measure from now on; the note stays as long as that data does.
    expect(await at.ingest()).toMatchObject({ changed: false, accepted: [] });
    expect(at.current.accepted).toEqual(accepted);
    at.publish([building(1), building(2)]);
    expect(await at.ingest()).toMatchObject({ changed: true });
    expect(at.current.accepted).toBeUndefined();
  });

  it('with dates of another format, of which a third can be read', async () => {
    await at.ingestFirst();
    at.publish(buildings(ROWS, i => ({ taken: european(i) })));
    const breaches = await refused();
    const rejected = breaches.find(b => b.key.endsWith('/rejected'))!;
    expect(rejected.what).toMatch(/^\d+ of 2000 rows are rejected \(5\d\.\d+ %; at most 1 % may be\)$/);
    expect(rejected.examples[0]).toMatch(/^row \d+: column IMAGE_DATE: ".*" is no date of the .* \(\d+ rows alike\)$/);
    const report = await at.ingest(hamlet, { accept: breaches.map(b => b.key) });
    expect(report.counts[0]!.rejected).toBe(rejected.rows);
  });

  it('with dates of which none can be read: no flag helps', async () => {
    await at.ingestFirst();
    at.publish(buildings(ROWS, i => ({ taken: `${american(i)} 00:00` })));
    expect(await unusable()).toMatch(
      /all 2000 rows were rejected; the first: row 1: column IMAGE_DATE: ".*" is no date/,
    );
  });

  it('with a renamed column: plan says it before', async () => {
    await at.ingestFirst();
    at.publish(
      buildings().map(f => {
        const { taken, ...properties } = f.properties;
        return { ...f, properties: { ...properties, photographed: taken } };
      }),
    );
    expect(await unusable()).toMatch(/buildings\.geojson: no column "taken"; the file has id, kind, photographed/);
    expect((await plan(hamlet, at.sources)).problems).toEqual([
      {
        file: 'buildings.geojson',
        layer: 'fema_usa_structures:main',
        message: 'no column "taken"; the file has id, kind, photographed',
      },
    ]);
  });

  it('with latitude and longitude swapped, in all rows or in some', async () => {
    await at.ingestFirst();
    at.publish(Array.from({ length: ROWS }, (_, i) => swapped(i)));
    expect(await unusable()).toContain('latitude and longitude are swapped');
    at.publish(Array.from({ length: ROWS }, (_, i) => (i < 100 ? swapped(i) : building(i))));
    const breaches = await refused();
    expect(breaches).toMatchObject([
      {
        key: 'hamlet/fema_usa_structures:main/crs',
        rows: 100,
        what: expect.stringContaining('100 would with latitude and longitude exchanged'),
        examples: expect.arrayContaining([expect.stringMatching(/^row 1 at 44\.001 -68\.999$/)]),
      },
    ]);
    expect(await at.ingest(hamlet, { accept: [breaches[0]!.key] })).toMatchObject({ changed: true });
  });

  it('that lost its projection', async () => {
    const utm = buildings().map(f => {
      const { xy } = fromGeoJSON(f.geometry as Shape);
      const ring = Array.from({ length: xy.length / 2 }, (_, i) => toUtm19([xy[2 * i]!, xy[2 * i + 1]!]));
      return feature('Polygon', [ring], f.properties);
    });
    const path = join(at.sources, 'buildings.geojson');
    const crs = { type: 'name', properties: { name: 'EPSG:26919' } };
    writeFileSync(path, JSON.stringify({ type: 'FeatureCollection', crs, features: utm }));
    expect((await at.ingest()).counts[0]).toMatchObject({ written: ROWS, rejected: 0 });
    writeFileSync(path, JSON.stringify({ type: 'FeatureCollection', features: utm }));
    const message = await unusable();
    expect(message).toContain('its coordinates are no degrees: the file has lost its projection');
    expect(message).toContain('set options.crs');
  });
});

describe('a measure that is not met is a breach', () => {
  const keys = (breaches: readonly Breach[]) =>
    breaches.map(b => b.key.replace('hamlet/fema_usa_structures:main/', ''));

  it('at the first ingest too, where it needs no release before', async () => {
    at.publish(buildings(ROWS, i => (i < 30 ? { taken: 'soon' } : {})));
    await expect(at.ingest()).rejects.toThrow('30 of 2000 rows are rejected (1.5 %; at most 1 % may be)');
    expect((await at.ingest(having({ expect: { rejected: 0.02, because: 'a test' } }))).changed).toBe(true);
  });

  it('rows that grow; one more never is, nor one less', async () => {
    at.publish(buildings(3));
    await at.ingest();
    at.publish(buildings(4));
    expect((await at.ingest()).changed).toBe(true);
    at.publish(buildings(6));
    expect(keys(await refused())).toEqual(['rows']);
    expect((await at.ingest(having({ expect: { more: 0.5, because: 'a test' } }))).changed).toBe(true);
  });

  it('a column that loses values, or all of them', async () => {
    await at.ingestFirst();
    at.publish(buildings(ROWS, i => (i % 10 === 1 ? { taken: null } : {})));
    const [some] = await refused();
    expect(some).toMatchObject({
      column: 'IMAGE_DATE',
      rows: 200,
      what: expect.stringContaining('hold no value (10 %)'),
    });
    at.publish(buildings(ROWS, () => ({ taken: ' ' })));
    const [all] = await refused();
    expect(all).toMatchObject({
      column: 'IMAGE_DATE',
      what: 'no row holds a value; 2000 of 2000 did in the last release',
    });
    expect((await at.ingest(hamlet, { accept: [all!.key] })).accepted).toMatchObject([{ key: all!.key }]);
  });

  it('a declared share of nulls, on the first day', async () => {
    const strict = having({ expect: { nulls: { OCC_CLS: 0.04 } } });
    await expect(at.ingest(strict)).rejects.toThrow('100 of 2000 rows hold no value (5 %; at most 4 % may)');
  });

  it('a lookup that finds less, or nothing', async () => {
    await at.ingestFirst();
    at.publish(buildings(ROWS, i => (i % 4 === 1 ? { kind: 'factory' } : {})));
    const [some] = await refused();
    expect(some).toMatchObject({ key: expect.stringMatching(/hits\/OCC_CLS$/), examples: ['"factory" in 500 rows'] });
    const strict = having({ expect: { hits: { OCC_CLS: 0.9 } } });
    expect((await refused(strict))[0]!.what).toContain('(at least 90 % must)');
    rmSync(at.releases, { recursive: true });
    at.publish(buildings(ROWS, i => ({ id: `X${i}` })));
    await expect(at.ingest()).rejects.toThrow(/column BUILD_ID: of 2000 rows 0 found something/);
  });

  it('a join that finds less; a key that the joined file lacks is said at once', async () => {
    const owners = (count: number, key = 'building') =>
      at.publish(
        Array.from({ length: count }, (_, i) => feature('Point', [0, 0], { [key]: `B${i}`, who: 'x' })),
        'owners.geojson',
      );
    const joined = having({
      join: { file: 'owners.geojson', prefix: 'owner', key: 'building', to: 'id' },
      columns: { ...hamlet.layers[0]!.columns, PROP_ADDR: 'owner.who' },
      unpublished: ['SQMETERS', 'PRIM_OCC', 'HEIGHT'],
    });
    owners(1800);
    await at.ingest(joined);
    owners(1600);
    const breaches = await refused(joined);
    expect(keys(breaches)).toEqual(['nulls/PROP_ADDR', 'hits/owner']);
    expect(breaches[1]!.what).toContain('for 80 % of the rows that have a value, for 90 % in the last release');
    owners(1800, 'house');
    const missing = 'owners.geojson: no column "building"; the file has house, who';
    await expect(at.ingest(joined)).rejects.toThrow(missing);
    expect((await plan(joined, at.sources)).problems.map(p => `${p.file}: ${p.message}`)).toEqual([missing]);
  });

  it('a value outside the closed list', async () => {
    const open = having({ columns: { ...hamlet.layers[0]!.columns, OCC_CLS: 'kind' } });
    await expect(at.ingest(open)).rejects.toThrow(
      /column OCC_CLS: 1900 rows hold values that the publisher’s closed list/,
    );
    await expect(at.ingest(open)).rejects.toThrow('for example "works" in row 2; "church" in row 3');
  });

  it('features beyond the coverage', async () => {
    const far = (i: number) => ({
      ...building(i),
      geometry: feature('Polygon', [
        [
          [-70, 45],
          [-69.9, 45],
          [-70, 45.1],
          [-70, 45],
        ],
      ]).geometry,
    });
    at.publish(Array.from({ length: ROWS }, (_, i) => (i < 40 ? far(i) : building(i))));
    await expect(at.ingest()).rejects.toThrow(
      '40 of 2000 features lie more than 5000 m beyond the box of the coverage',
    );
    expect((await at.ingest(having({ expect: { outsideMetres: 200_000, because: 'a test' } }))).changed).toBe(true);
  });

  it('a vintage older than that of the last release', async () => {
    await at.ingestFirst();
    const older = having({ provenance: { ...hamlet.layers[0]!.provenance, vintage: 'copy of March 2024' } });
    const [breach] = await refused(older);
    expect(breach!.what).toBe('its vintage copy of March 2024 is older than 2026-01-01 of the last release');
  });

  it('another number of rows than the place expects, and a layer that the place has no more', async () => {
    await at.ingestFirst();
    expect(keys(await refused(having({ expectRows: 5 })))).toEqual(['rows']);
    const other: Place = {
      ...hamlet,
      layers: [{ ...hamlet.layers[0]!, dataset: 'local_zoning', columns: { ZONE: 'id' }, unpublished: ['CONTRACT'] }],
    };
    expect((await refused(other))[0]).toMatchObject({
      key: 'hamlet/fema_usa_structures:main/rows',
      what: 'the place has no such layer any more; 2000 rows were in the last release',
    });
  });

  it('of one of several files of a layer, though their sum is within bounds', async () => {
    const files = ['a.geojson', 'b.geojson'];
    const two: Place = { ...hamlet, layers: files.map(file => ({ ...hamlet.layers[0]!, file })) };
    at.publish(buildings(ROWS), 'a.geojson');
    at.publish(buildings(50), 'b.geojson');
    await at.ingest(two);
    at.publish(buildings(5), 'b.geojson');
    expect(await refused(two)).toMatchObject([{ file: 'b.geojson', rows: 5 }]);
    // In other files than before their sum counts.
    at.publish(buildings(ROWS), 'c.geojson');
    const renamed: Place = {
      ...hamlet,
      layers: ['c.geojson', 'b.geojson'].map(file => ({ ...hamlet.layers[0]!, file })),
    };
    expect((await at.ingest(renamed)).changed).toBe(true);
  });

  it('accepted by its layer, while a flag for nothing is told', async () => {
    await at.ingestFirst();
    at.publish(buildings(9));
    expect(keys(await refused(hamlet, ['hamlet/fema_usa_structures:main/nulls', 'hamle']))).toEqual(['rows']);
    const report = await at.ingest(hamlet, { accept: ['hamlet/fema_usa_structures:main', 'hamlet/usfws_nwi:main'] });
    expect(report.idleFlags).toEqual(['hamlet/usfws_nwi:main']);
    expect(report.accepted).toHaveLength(1);
  });

  it('and what is measured is stored, nulls that pass an otherwise too', async () => {
    const report = await at.ingest();
    expect(at.current.ingests).toEqual(report.counts);
    expect(report.counts[0]!.quality).toEqual({
      vintage: '2026-01-01',
      rows: ROWS,
      nulls: { BUILD_ID: 0, IMAGE_DATE: 0, OCC_CLS: 100 },
      hits: { BUILD_ID: [ROWS, ROWS], OCC_CLS: [1900, 1900] },
      blanks: { OCC_CLS: 100 },
      unlisted: {},
      placed: { features: ROWS, swapped: 0, noDegrees: 0, elsewhere: 0, outside: 0, within: 'coverage' },
    });
  });

  it('a row that is rejected counts once in what was looked up, though what is known of it is kept', async () => {
    at.publish(buildings(ROWS, i => (i === 5 ? { taken: 'never' } : {})));
    const [count] = (await at.ingest()).counts;
    expect(count).toMatchObject({ rejected: 1, quality: { hits: { BUILD_ID: [ROWS, ROWS] } } });
  });
});
