import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { evaluateBatch } from '../../../query/evaluate/batch-evaluate.ts';
import { absent, failed, toAnswer } from '../../../query/evaluate/finding.ts';
import { createCache } from '../../../query/release/cache.ts';
import { openRelease } from '../../../query/release/open-release.ts';
import { createFixture, dataset, type Fixture, field, point, rectangle } from '../release-fixture.ts';

const HERE = { lng: 0.5, lat: 0.5 };
const AT = '2026-01-01T00:00:00.000Z';

const sites = { kind: 'vector', geometry: 'point', joinKey: null, columns: {}, partition: 'national' } as const;
const datasets = [
  dataset(
    'wells',
    { main: sites },
    {
      well: field('nearest_distance(wells, max_km=50)'),
      // Its fault is that of its input.
      twice: field('derived(expr[a * 2], a=@well)', { confidence: 'min_inputs' }),
    },
  ),
  dataset('masts', { main: sites }, { mast: field('nearest_distance(masts, max_km=50)') }),
  dataset(
    'dem',
    { main: { kind: 'raster', bands: 1, sampling: 'bilinear', partition: 'national' } },
    { height: field('raster_sample(dem, 1)') },
  ),
  dataset('roads', { main: sites }, { road: field('nearest_distance(roads, max_km=50)') }),
];
const NAMES = ['well', 'twice', 'mast', 'height', 'road'];

/** Wells and masts share one coverage file. */
const covered = (source: string) => ({
  features: [{ geometry: point(0.4, 0.4) }],
  coverage: [rectangle([0, 0, 1, 1])],
  source,
  note: 'made up',
});

let fixture: Fixture;
beforeAll(async () => {
  const raster = { width: 4, height: 4, west: 0, north: 1, cell: 0.25, values: new Array<number>(16).fill(7) };
  fixture = await createFixture(datasets, {
    wells: { main: [covered('synthetic:wells')] },
    masts: { main: [covered('synthetic:masts')] },
    dem: { main: [{ raster, coverage: 'extent', source: 'synthetic:dem', note: 'made up' }] },
  });
});
afterAll(() => fixture.remove());

/** What both forms cite while a file is missing; they must agree. */
async function citedWithout(path: string) {
  const bytes = readFileSync(path);
  rmSync(path);
  try {
    const one = await fixture.ask(NAMES, HERE);
    const release = openRelease(fixture.home);
    const found = await evaluateBatch(NAMES, [HERE], { release, catalog: fixture.catalog, cache: createCache(16) });
    return Object.fromEntries(
      NAMES.map(name => {
        const { status, source, sourceUrl, vintage, notes } = one[name]!;
        const standing = fixture.catalog.datasets.get(fixture.catalog.fields.get(name)!.dataset)!;
        expect(toAnswer(found.get(name)![0]!, standing, AT), name).toMatchObject({ status, source, sourceUrl, notes });
        return [name, status === 'failed' ? { source, sourceUrl, vintage, notes } : status];
      }),
    );
  } finally {
    writeFileSync(path, bytes);
  }
}

const fault = (source: string) => ({
  source,
  sourceUrl: `https://example.org/${source}`,
  vintage: '2024',
  notes: 'made up',
});
/** Not installed at all: the catalog's own dataset stands for it. */
const road = { source: 'roads', sourceUrl: 'https://example.org/roads', vintage: null, notes: null };

describe('a failed value cites what was installed', () => {
  it('where its features are missing', async () => {
    const wells = fault('synthetic:wells');
    const cited = await citedWithout(fixture.path('wells', 'main', 'features'));
    expect(cited).toMatchObject({ well: wells, height: 'ok', road });
    expect(cited.twice).toMatchObject({ source: 'synthetic:wells', sourceUrl: wells.sourceUrl });
  });

  it('where its raster is missing', async () => {
    const cited = await citedWithout(fixture.path('dem', 'main', 'raster'));
    expect(cited).toMatchObject({ well: 'ok', mast: 'ok', height: fault('synthetic:dem'), road });
  });

  it('and not another layer, where both miss the coverage file that they share', async () => {
    const path = fixture.path('wells', 'main', 'coverage');
    expect(fixture.path('masts', 'main', 'coverage')).toBe(path);
    const cited = await citedWithout(path);
    expect(cited).toMatchObject({ well: fault('synthetic:wells'), mast: fault('synthetic:masts'), height: 'ok' });
  });
});

describe('where nothing was read', () => {
  it('an absent and a failed value of any dataset cite a URL without placeholders, or none', () => {
    for (const standing of catalog.datasets.values())
      for (const finding of [absent('nothing here', 'low', []), failed(new Error('gone'))]) {
        const { source, sourceUrl } = toAnswer(finding, standing, AT);
        expect(source).toBe(standing.id);
        if (sourceUrl === null) continue;
        expect(URL.canParse(sourceUrl), standing.id).toBe(true);
        expect(sourceUrl, standing.id).not.toMatch(/[\s{}<>]/);
      }
  });

  it('names the folder of a publication in many files', () => {
    const { sourceUrl } = toAnswer(absent('none', 'low', []), catalog.datasets.get('usgs_3dep')!, AT);
    expect(sourceUrl).toBe('https://prd-tnm.s3.amazonaws.com/StagedProducts/Elevation/13/TIFF/current/');
  });

  it('has no URL rather than an empty one', () => {
    expect(toAnswer(failed(new Error('gone')), { id: 'd', url: '' }, AT).sourceUrl).toBeNull();
    expect(toAnswer(failed(new Error('gone')), { id: 'd', url: null }, AT).sourceUrl).toBeNull();
  });
});
