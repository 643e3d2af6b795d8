import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import place from '../../../datasets/places/synthetic.ts';
import { run } from '../../../pipelines/run.ts';
import { search } from '../../../query/engine/search-task.ts';
import { createCache } from '../../../query/release/cache.ts';
import { openRelease } from '../../../query/release/open-release.ts';
import type { WrittenPage } from '../../../query/search/page/written-page.ts';
import { BUDGET } from '../../query/search/agreement.ts';
import { textOf } from '../../query/search/page-text.ts';
import { syntheticHome } from '../../synthetic-home.ts';
import { SILENT } from '../silent.ts';
import { folder } from '../world/truth.ts';

const [sources, home] = [folder(), folder()];
const only = ['census_pep'];
const ingest = () => run({ home, sources, place, only, threads: 0, progress: SILENT, overlay: { memoryMb: 256 } });

beforeAll(async () => {
  const shared = await syntheticHome();
  cpSync(shared.sources, sources, { recursive: true });
  cpSync(shared.home, home, { recursive: true });
});
afterAll(() => {
  for (const path of [sources, home]) rmSync(path, { recursive: true, force: true });
});

describe('a filter on what a table says of the area of a parcel', () => {
  it('is of the table of the release that is asked, also where the areas are those of the release before', async () => {
    // A worker's: it outlives releases.
    const cache = createCache(64);
    const populations = async (least: number) => {
      const page = (await search(
        {
          filters: {
            tests: [
              { name: 'state', kind: 'state', op: 'in', operands: ['ME', 'NH'] },
              { name: 'county_population', kind: 'number', op: 'gte', operands: [least] },
            ],
            areas: [],
          },
          outputs: ['county_population'],
          countyByFips: false,
          limit: 1000,
          after: null,
          budget: BUDGET,
        },
        { release: openRelease(home), catalog, cache, deadline: Date.now() + 60_000, stopped: () => false },
      )) as WrittenPage;
      const matches = JSON.parse(Buffer.from(textOf(page.matches)).toString()) as { fields: Record<string, number> }[];
      return new Set(matches.map(({ fields }) => fields.county_population));
    };
    const areas = () =>
      Object.values(openRelease(home).manifest.overlays!).map(of => of['area_key.county_fips']!.files);
    const [small, large] = [...(await populations(0))].sort((a, b) => a! - b!) as [number, number];
    expect(await populations(large)).toEqual(new Set([large]));
    const before = areas();

    const path = join(sources, 'census/co-est2025-alldata.csv');
    cpSync(path, `${path}.old`);
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(`,${small},`, `,${large + 1},`));
    await ingest();
    expect(areas()).toEqual(before);
    expect(await populations(large)).toEqual(new Set([large, large + 1]));
  });
});
