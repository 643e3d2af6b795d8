import { join } from 'node:path';
import { run } from '../../../pipelines/run.ts';
import { SILENT } from '../silent.ts';
import { FILES, feature, square, village, writeFiles } from '../village.ts';

/**
 * A home with a release of the village, or the next one.
 * @param wetlands how many there are instead of the few of the first release.
 * @returns the home.
 */
export async function publishedVillage(home: string, wetlands = 0): Promise<string> {
  const sources = join(home, 'sources-of-village');
  writeFiles(sources, FILES);
  if (wetlands > 0)
    writeFiles(sources, {
      'wetlands.geojson': Array.from({ length: wetlands }, (_, i) =>
        feature('Polygon', [square(-69 + (i % 100) * 0.001, 44 + Math.floor(i / 100) * 0.001, 0.0009)], {
          code: `P${i}`,
        }),
      ),
    });
  await run({ home, sources, place: village, threads: 0, progress: SILENT, accept: wetlands > 0 ? ['village'] : [] });
  return home;
}
