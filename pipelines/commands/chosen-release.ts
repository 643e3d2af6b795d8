import type { Manifest } from '../../datasets/release.ts';

/** Returns the releases folder and the named release, or else the current one. @throws ReleaseError when there is none. */
export async function chosenRelease(
  id: string | undefined,
): Promise<{ home: string; releases: string; manifest: Manifest }> {
  const [{ currentId, readManifest }, { ReleaseError }, { Store }, { readSettings }] = await Promise.all([
    import('../../query/release/home/releases.ts'),
    import('../../query/release/manifest.ts'),
    import('../../query/release/home/store.ts'),
    import('../../query/engine/settings.ts'),
  ]);
  const { home } = readSettings(process.env);
  const { releases } = new Store(home);
  const chosen = id ?? currentId(releases);
  if (chosen === null) throw new ReleaseError(`No release in ${releases}; make one with plat ingest run`);
  return { home, releases, manifest: readManifest(releases, chosen) };
}
