import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { SITING_COLUMNS } from '../../../datasets/siting-columns.ts';
import { SITING_TEMPLATES } from '../../../datasets/siting-templates.ts';
import { runOverlay } from '../../../pipelines/overlay/run.ts';
import { buildableGround } from '../../../query/buildable/buildable.ts';
import { exclusionsOf } from '../../../query/buildable/template-exclusions.ts';
import { SETTINGS } from '../../../query/engine/settings.ts';
import { FeatureFile } from '../../../query/format/flatgeobuf.ts';
import { ACRE_M2 } from '../../../query/geometry/acre.ts';
import { Calculated } from '../../../query/parcel/calculated-values.ts';
import { createCache } from '../../../query/release/cache.ts';
import { Layers } from '../../../query/release/layers.ts';
import { currentId, openReleaseById, type Release } from '../../../query/release/open-release.ts';
import { rankParcels } from '../../../query/sets/rank.ts';
import { SILENT } from '../../pipelines/silent.ts';
import { syntheticHome } from '../../synthetic-home.ts';
import { BUDGET } from '../search/agreement.ts';

const NAMES = [...SITING_COLUMNS.keys()];
const cache = createCache(256);
let release: Release;
const folder = mkdtempSync(join(tmpdir(), 'plat-siting-'));
beforeAll(async () => {
  const { home: shared } = await syntheticHome();
  const home = join(folder, 'home');
  cpSync(shared, home, { recursive: true });
  vi.stubEnv(SETTINGS.siting.variable, 'on');
  await runOverlay({ home, threads: 0, memoryMb: 256, progress: SILENT });
  release = openReleaseById(home, currentId(home)!);
}, 600_000);
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

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
