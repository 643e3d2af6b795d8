import { createHash } from 'node:crypto';
import { rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Manifest, ReleaseFile } from '../../../datasets/release.ts';
import { statOf } from '../../format/file-stamp.ts';
import { publish } from '../home/publish.ts';
import { readManifest } from '../home/releases.ts';
import { filesOf, pathOf, type Store, shardFilesOf } from '../home/store.ts';
import { parseManifest } from '../manifest.ts';
import { requireStoredRasters, requireWholeCounties } from '../open-release.ts';
import { bring, partialOf } from '../store/bring.ts';
import type { Downloading } from '../store/download.ts';
import { AT_ONCE, sideBySide } from '../store/side-by-side.ts';
import { manifestKey, type StoreEntry } from '../store/store-entry.ts';
import { StoreProblem } from '../store/store-problem.ts';
import { pruneOutdated } from './retention.ts';

/** Bytes that a pull leaves free on the disk, for state, logs and the manifest. */
const SPARE_BYTES = 256 << 20;

const MIB = 2 ** 20;

/**
 * The manifest of an entry. Its shards are downloaded then, because they say what other files there are.
 * @throws StoreProblem where a store has no manifest for it, or another, or one that this build cannot serve.
 */
async function manifestOf(home: Store, entry: StoreEntry, downloading: Downloading): Promise<Manifest> {
  const { release, manifestSha256 } = entry;
  const bytes = await downloading.store.read(manifestKey(manifestSha256));
  if (!bytes) throw new StoreProblem(`the store lacks the manifest of ${release}; push it again`);
  if (createHash('sha256').update(bytes).digest('hex') !== manifestSha256)
    throw new StoreProblem(
      `the manifest of ${release} is damaged in the store; remove it there and push the release again`,
    );
  const refused = (why: string) => new StoreProblem(`release ${release} cannot be served by this build: ${why}`);
  const requireOwnKinds = (files: readonly ReleaseFile[]) => {
    const strange = files.find(({ role, path, sha256 }) => path !== pathOf(role, sha256));
    if (strange) throw refused(`its file ${strange.path} is of a kind that this build does not have`);
  };
  let manifest: Manifest;
  try {
    manifest = parseManifest(bytes, release, home.releases);
    requireWholeCounties(manifest);
  } catch (error) {
    throw refused((error as Error).message);
  }
  const shards = shardFilesOf(manifest);
  requireOwnKinds(shards);
  await bringAll(home, await lackingOf(home, shards), downloading);
  try {
    requireStoredRasters(manifest);
  } catch (error) {
    throw refused((error as Error).message);
  }
  requireOwnKinds(filesOf(manifest));
  return manifest;
}

/** Those of some files that a home has not whole. */
async function lackingOf(home: Store, files: readonly ReleaseFile[]): Promise<ReleaseFile[]> {
  const lacking: ReleaseFile[] = [];
  for (const file of files) if (!(await home.holds(file))) lacking.push(file);
  return lacking;
}

/** @throws StoreProblem where a release does not fit, though all earlier releases that may go are gone. */
async function makeRoom(store: Store, manifest: Manifest, bytes: number): Promise<void> {
  const missing = async () => {
    const { bavail, bsize } = await statfs(store.releases);
    return bytes + SPARE_BYTES - bavail * bsize;
  };
  if ((await missing()) <= 0) return;
  await pruneOutdated(store, 0, new Set(filesOf(manifest).flatMap(file => [file.path, partialOf(file)])));
  const lacking = await missing();
  if (lacking <= 0) return;
  throw new StoreProblem(
    `release ${manifest.id} does not fit on the disk: it takes ${Math.ceil(bytes / MIB)} MiB more, and ` +
      `${SPARE_BYTES / MIB} MiB stay free; ${Math.ceil(lacking / MIB)} MiB are lacking`,
  );
}

/** @throws Error of the first download that failed, when the others have ended. */
const bringAll = (home: Store, files: readonly ReleaseFile[], downloading: Downloading): Promise<void> =>
  sideBySide(
    // The largest first, so that none of them is alone at the end.
    files.toSorted((a, b) => b.bytes - a.bytes),
    AT_ONCE,
    file => bring(home, file, downloading),
  );

/**
 * Downloads what a home lacks of a release and makes it the current one, as an ingest does. Broken off anywhere, it leaves the
 * home's current release as it was, and the next pull goes on. Call it only under the lock.
 * @param onTotal told how many bytes are to be downloaded beside the manifest and its shards, before they are.
 * @throws StoreProblem where the store has not what the entry promises, or the disk has no room; Error where the store cannot be
 *   reached or the disk does not take a file.
 */
export async function pullRelease(
  home: Store,
  entry: StoreEntry,
  downloading: Downloading,
  onTotal: (bytes: number) => void,
): Promise<void> {
  const { releases } = home;
  const manifest = await manifestOf(home, entry, downloading);
  const files = await lackingOf(home, filesOf(manifest));
  const left = files.map(file => Math.max(0, file.bytes - (statOf(join(releases, partialOf(file)))?.size ?? 0)));
  const bytes = left.reduce((sum, size) => sum + size, 0);
  onTotal(bytes);
  await makeRoom(home, manifest, bytes);
  await bringAll(home, files, downloading);
  try {
    readManifest(releases, manifest.id);
  } catch {
    // None is there, or a damaged one, which `publish` would leave.
    await rm(join(releases, `${manifest.id}.json`), { force: true });
  }
  await publish(releases, manifest);
}
