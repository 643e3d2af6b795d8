import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { runScore } from '../../../pipelines/scorecard/run.ts';
import { readScorecard, scoredOf } from '../../../query/parcel/scorecard.ts';
import { currentId, readManifest } from '../../../query/release/home/releases.ts';
import { openRelease } from '../../../query/release/open-release.ts';
import { countiesOf } from '../../../query/search/predicate/counties.ts';
import { syntheticHome } from '../../synthetic-home.ts';
import { SILENT } from '../silent.ts';

/** Fields of the synthetic area that a second computation reaches. */
const FEWEST_FIELDS = 220;

let home: string;
let report: Awaited<ReturnType<typeof runScore>>;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'plat-score-'));
  cpSync((await syntheticHome()).home, home, { recursive: true });
  report = await runScore({ home, progress: SILENT });
}, 900_000);
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
    for (const { rows } of report.scores)
      for (const row of rows) if (row.checked === 0) expect(row.reason, row.field).toBeTruthy();
  });
});
