import { beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { SITING_COLUMNS } from '../../../datasets/siting-columns.ts';
import { SITING_TEMPLATES } from '../../../datasets/siting-templates.ts';
import { buildableGround } from '../../../query/buildable/buildable.ts';
import { sitingMeasures } from '../../../query/buildable/siting.ts';
import { exclusionsOf } from '../../../query/buildable/template-exclusions.ts';
import type { Area } from '../../../query/evaluate/area/area.ts';
import { openArea } from '../../../query/evaluate/evaluate-area.ts';
import { FeatureFile } from '../../../query/format/flatgeobuf.ts';
import { ACRE_M2 } from '../../../query/geometry/acre.ts';
import { Calculated } from '../../../query/parcel/calculated-values.ts';
import { createCache } from '../../../query/release/cache.ts';
import { Layers } from '../../../query/release/layers.ts';
import { currentId, openReleaseById, type Release } from '../../../query/release/open-release.ts';
import { rankParcels } from '../../../query/sets/rank.ts';
import { syntheticHome } from '../../synthetic-home.ts';
import { rectangle } from '../release-fixture.ts';
import { BUDGET } from '../search/agreement.ts';

const NAMES = [...SITING_COLUMNS.keys()];
const cache = createCache(256);
let release: Release;
beforeAll(async () => {
  const { home } = await syntheticHome();
  release = openReleaseById(home, currentId(home)!);
}, 600_000);

const environment = () => ({ release, catalog, cache, deadline: Date.now() + 120_000, stopped: () => false });

describe('the columns of templates of siting', () => {
  it('hold what a question with the template answers', async () => {
    const compared = { some: 0, none: 0 };
    for (const partition of release.layer('parcel_store', 'main')!.partitions) {
      const calculated = new Calculated(new Layers(release, cache), catalog, partition);
      const file = new FeatureFile(release.pathOf(partition.files.find(({ role }) => role === 'features')!));
      for (let ord = 5; ord < file.count; ord += 20) {
        const stored = await calculated.findings(ord, NAMES);
        for (const template of SITING_TEMPLATES.values()) {
          const answer = await buildableGround(
            {
              ...{ filters: [], outputs: [], countyByFips: false, budget: BUDGET, shapes: false },
              ground: { geometry: file.feature(ord).geometry, path: 'geometry' },
              exclusions: exclusionsOf(template),
              boundarySetback: template.boundarySetbackM,
              minWidth: template.minWidthM,
              minPiece: template.minPieceAcres * ACRE_M2,
            },
            environment(),
          );
          if (!('area' in answer)) throw new Error(JSON.stringify(answer));
          for (const [measure, name] of [
            ['area', `buildable_acres_${template.name}`],
            ['largestPiece', `largest_buildable_acres_${template.name}`],
          ] as const) {
            const { status, value, citations } = stored.get(name)!;
            expect(status, name).toBe('ok');
            // What they take is united in another order, which moves a vertex by a rounding.
            expect(Math.abs((value as number) - answer[measure]! / ACRE_M2), name).toBeLessThan(3e-4);
            compared[value === 0 ? 'none' : 'some']++;
            expect(citations.length, name).toBeGreaterThan(0);
          }
        }
      }
      file.close();
    }
    expect(compared.some).toBeGreaterThan(20);
    expect(compared.none).toBeGreaterThan(20);
  }, 240_000);

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

  it('put the parcels of a rank in order', async () => {
    const name = 'largest_buildable_acres_solar';
    const answer = await rankParcels(
      {
        filters: [
          { name: 'state', kind: 'state', op: 'eq', operands: ['ME'] },
          { name, kind: 'number', op: 'gt', operands: [5] },
        ] as never,
        ...{ outputs: ['state', name], countyByFips: false, budget: BUDGET, limit: 10 },
        criteria: [{ name, kind: 'number', direction: 'desc', weight: 1, prefer: 'high' }],
        scored: false,
      } as never,
      environment(),
    );
    if (!('matches' in answer)) throw new Error(JSON.stringify(answer));
    const matches = JSON.parse(answer.matches) as { fields: Record<string, number> }[];
    const values = matches.map(({ fields }) => fields[name]!);
    expect(values.length).toBe(10);
    expect(values).toEqual([...values].sort((a, b) => b - a));
    expect(values.every(value => value > 5)).toBe(true);
  }, 120_000);
});
