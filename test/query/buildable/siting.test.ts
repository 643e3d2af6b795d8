import { beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { SITING_TEMPLATES } from '../../../datasets/siting-templates.ts';
import { buildableGround } from '../../../query/buildable/buildable.ts';
import { sitingMeasures } from '../../../query/buildable/siting.ts';
import { exclusionsOf } from '../../../query/buildable/template-exclusions.ts';
import type { Area } from '../../../query/evaluate/area/area.ts';
import { openArea } from '../../../query/evaluate/evaluate-area.ts';
import { FeatureFile } from '../../../query/format/flatgeobuf.ts';
import { ACRE_M2 } from '../../../query/geometry/acre.ts';
import { createCache } from '../../../query/release/cache.ts';
import { Layers } from '../../../query/release/layers.ts';
import { currentId, openReleaseById, type Release } from '../../../query/release/open-release.ts';
import { syntheticHome } from '../../synthetic-home.ts';
import { rectangle } from '../release-fixture.ts';
import { BUDGET } from '../search/agreement.ts';

const cache = createCache(256);
let release: Release;
beforeAll(async () => {
  const { home } = await syntheticHome();
  release = openReleaseById(home, currentId(home)!);
}, 600_000);

const environment = () => ({ release, catalog, cache, deadline: Date.now() + 120_000, stopped: () => false });

describe('what the templates of siting leave of a parcel', () => {
  it('is what a question with the template answers', async () => {
    const layers = new Layers(release, cache);
    const [partition] = release.layer('parcel_store', 'main')!.partitions;
    const file = new FeatureFile(release.pathOf(partition!.files.find(({ role }) => role === 'features')!));
    const templates = [...SITING_TEMPLATES.values()];
    for (const ord of [5, 40]) {
      const { geometry } = file.feature(ord);
      const open = (area: Area) => openArea(area, { ...environment(), deadline: Infinity }, layers).ctx;
      const measures = await sitingMeasures(geometry, templates, open);
      for (const template of templates) {
        const answer = await buildableGround(
          {
            ...{ filters: [], outputs: [], countyByFips: false, budget: BUDGET, shapes: false },
            ground: { geometry, path: 'geometry' },
            exclusions: exclusionsOf(template),
            boundarySetback: template.boundarySetbackM,
            minWidth: template.minWidthM,
            minPiece: template.minPieceAcres * ACRE_M2,
          },
          environment(),
        );
        if (!('area' in answer)) throw new Error(JSON.stringify(answer));
        const measured = measures.get(template)!;
        if (measured.status !== 'ok') throw new Error(JSON.stringify(measured));
        expect(Math.abs(measured.area - answer.area!) / ACRE_M2, template.name).toBeLessThan(3e-4);
        expect(Math.abs(measured.largest - answer.largestPiece!) / ACRE_M2, template.name).toBeLessThan(3e-4);
      }
    }
    file.close();
  }, 120_000);

  it('are absent with a reason where a layer does not map the ground, and 0 where that cannot matter', async () => {
    const solar = SITING_TEMPLATES.get('solar')!;
    const layers = new Layers(release, cache);
    const measured = async (lng: number, degrees: number) => {
      const ground = rectangle([lng, 43, lng + degrees, 43 + degrees]);
      const open = (area: Area) => openArea(area, { ...environment(), deadline: Infinity }, layers).ctx;
      return (await sitingMeasures(ground, [solar], open)).get(solar)!;
    };
    expect(await measured(-60, 0.01)).toMatchObject({
      status: 'absent',
      reason: expect.stringMatching(/^outside the/),
    });
    // A lot of a tenth of an acre holds no piece of two acres.
    expect(await measured(-60, 0.0002)).toMatchObject({ status: 'ok', area: 0, largest: 0 });
    expect(await measured(-60, 0.1)).toMatchObject({
      status: 'absent',
      reason: 'the parcel has more than 5,000 acres',
    });
  });
});
