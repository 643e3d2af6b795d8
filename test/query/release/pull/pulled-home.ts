import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { pushRelease } from '../../../../pipelines/release/push/push-release.ts';
import { stampOf, statOf } from '../../../../query/format/file-stamp.ts';
import { currentId, readManifest } from '../../../../query/release/home/releases.ts';
import { filesOf } from '../../../../query/release/home/store.ts';
import { openRelease } from '../../../../query/release/open-release.ts';
import { SoundRecord } from '../../../../query/release/sound-record.ts';
import type { ObjectStore } from '../../../../query/release/store/object-store.ts';

/** Pushes the current release of a home. @returns its id. */
export async function pushed(store: ObjectStore, home: string): Promise<string> {
  const { manifest } = openRelease(home);
  await pushRelease(store, join(home, 'releases'), manifest, () => true);
  return manifest.id;
}

/** A home has this release whole, recorded as sound, and serves it. */
export function expectPulled(home: string, id: string): void {
  const releases = join(home, 'releases');
  expect(currentId(releases)).toBe(id);
  const sound = new SoundRecord(home);
  for (const { path, sha256 } of filesOf(readManifest(releases, id))) {
    const bytes = readFileSync(join(releases, path));
    expect(createHash('sha256').update(bytes).digest('hex'), path).toBe(sha256);
    expect(sound.get(sha256), path).toBe(stampOf(statOf(join(releases, path))!));
  }
}

/** What a pull has under way. */
export const partials = (home: string): string[] => {
  const folder = join(home, 'releases', 'tmp');
  return existsSync(folder) ? readdirSync(folder) : [];
};
