import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Manifest } from '../../datasets/release.ts';
import { builtInPlace } from '../../pipelines/place/place-schema.ts';
import { type RunReport, run } from '../../pipelines/run.ts';
import { currentId, readManifest } from '../../query/release/home/releases.ts';
import { SILENT } from '../pipelines/silent.ts';

/** Folder of the real published files, beside the project. */
export const SOURCES = fileURLToPath(new URL('../../../shared/data/', import.meta.url));
export const present = existsSync(join(SOURCES, 'SOURCES.md'));
export const MISSING = 'real files are not there: ../shared/data is absent';

/** A fresh release of the real Bangor. */
export interface Bangor {
  readonly home: string;
  readonly releases: string;
  readonly report: RunReport;
  readonly manifest: Manifest;
  remove(): void;
}

/**
 * Ingests the real Bangor into a temporary home, once for all tests of a file.
 * @param more calculations of its parcels, which take minutes: searches by them find nothing without.
 */
export async function ingestBangor(more: Pick<Parameters<typeof run>[0], 'overlay'> = {}): Promise<Bangor> {
  const home = mkdtempSync(join(tmpdir(), 'plat-bangor-'));
  const releases = join(home, 'releases');
  const report = await run({
    home,
    sources: SOURCES,
    place: builtInPlace('bangor-me'),
    threads: 2,
    progress: SILENT,
    ...more,
  });
  const manifest = readManifest(releases, currentId(releases)!);
  return { home, releases, report, manifest, remove: () => rmSync(home, { recursive: true, force: true }) };
}
