import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import synthetic from '../../../datasets/places/synthetic.ts';
import { run } from '../../../pipelines/run.ts';
import { runScore } from '../../../pipelines/scorecard/run.ts';
import { worldFiles } from '../../../pipelines/world/layer.ts';
import { makeWorld } from '../../../pipelines/world/world.ts';
import { writeFiles } from '../../../pipelines/world/write-files.ts';
import { readScorecard, scoredOf } from '../../../query/parcel/scorecard.ts';
import { currentId, readManifest } from '../../../query/release/home/releases.ts';
import { openRelease } from '../../../query/release/open-release.ts';
import { countiesOf } from '../../../query/search/predicate/counties.ts';
import { SILENT } from '../silent.ts';

/** Fields of the synthetic area that a second computation reaches, and those of them with so many values in one county. */
const [FEWEST_FIELDS, FEWEST_OFTEN, OFTEN] = [300, 280, 300];
/** Parcels of two counties: as many in each as are looked at. */
const PARCELS = 800;

let home: string;
let report: Awaited<ReturnType<typeof runScore>>;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'plat-score-'));
  const sources = join(home, 'sources');
  await writeFiles(worldFiles(await makeWorld({ parcels: PARCELS, seed: 1 })), sources);
  await run({ home, sources, place: synthetic, threads: 0, progress: SILENT, overlay: { memoryMb: 256 } });
  report = await runScore({ home, progress: SILENT });
}, 1_800_000);
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe('the scorecard of the synthetic area', () => {
  it('is published with the release, once', async () => {
    const releases = join(home, 'releases');
    const manifest = readManifest(releases, currentId(releases)!);
    expect(manifest.id).toBe(report.release);
    expect(report.changed).toBe(true);
    for (const { partition, fips } of countiesOf(openRelease(home))) {
      const { inputs, file } = manifest.scorecards![fips]!;
      expect(inputs).toBe(scoredOf(openRelease(home)!, partition));
      expect((await readScorecard(join(releases, file.path))).rows).toHaveLength(catalog.fields.size);
    }
    expect(await runScore({ home, progress: SILENT })).toMatchObject({ changed: false, release: report.release });
  });

  it('has 99 of 100 values that say high right, and 95 of those that say medium', () => {
    const wrong = report.scores.flatMap(({ county_fips, rows }) =>
      rows.filter(row => row.wrong > 0).map(row => `${county_fips} ${row.field}: ${row.wrong} of ${row.checked}`),
    );
    for (const [confidence, bar] of [
      ['high', 0.99],
      ['medium', 0.95],
    ] as const) {
      const rates = report.scores.flatMap(({ calibration }) =>
        calibration.filter(one => one.confidence === confidence),
      );
      const checked = rates.reduce((sum, rate) => sum + rate.checked, 0);
      const right = rates.reduce((sum, rate) => sum + rate.right, 0);
      expect(checked, confidence).toBeGreaterThan(300);
      expect(right / checked, `${confidence}: ${wrong.join('; ')}`).toBeGreaterThanOrEqual(bar);
    }
  });

  it('reaches the fields that it says it does', () => {
    const reached = new Set(
      report.scores.flatMap(({ rows }) => rows.flatMap(row => (row.checked > 0 ? [row.field] : []))),
    );
    expect(reached.size).toBeGreaterThanOrEqual(FEWEST_FIELDS);
    const often = new Set(
      report.scores.flatMap(({ rows }) => rows.flatMap(row => (row.checked >= OFTEN ? [row.field] : []))),
    );
    expect(often.size).toBeGreaterThanOrEqual(FEWEST_OFTEN);
    for (const { rows } of report.scores)
      for (const row of rows) if (row.checked === 0) expect(row.reason, row.field).toBeTruthy();
  });
});
