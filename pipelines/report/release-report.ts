import type { Manifest } from '../../datasets/release.ts';
import { readManifest, releaseIds } from '../../query/release/home/releases.ts';
import { runOf } from '../refresh/journal.ts';
import { coverageMap } from './coverage-map.ts';
import { reportPage } from './page.ts';
import { changesOf } from './report.ts';

/**
 * Returns a release as one page of HTML: contents, coverage, publishers, quality, and differences from the release before.
 * @param home PLAT_HOME. @param releases folder of the manifests.
 * @throws DamagedFile when a coverage file cannot be read, ReleaseError when the manifest before is damaged.
 */
export async function releaseReport(home: string, releases: string, manifest: Manifest): Promise<string> {
  const { id, previous } = manifest;
  const isKept = previous !== null && releaseIds(releases).includes(previous);
  return reportPage(manifest, {
    map: coverageMap(manifest, releases),
    changes: isKept ? await changesOf(home, readManifest(releases, previous), manifest) : null,
    run: runOf(home, id),
  });
}
