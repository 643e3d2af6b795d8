import type { PublishedAt } from './place.ts';

/** Path below the sources folder → where the file is published. */
export type PublishedFiles = Readonly<Record<string, PublishedAt>>;

/**
 * Addresses of files in a public repository on GitHub at one commit, whose content never changes.
 * @param repository owner and name. @param commit 40 hexadecimal digits.
 * @param paths path below the sources folder → path in the repository.
 */
export function onGitHub(
  repository: string,
  commit: string,
  paths: Readonly<Record<string, string>>,
): Record<string, PublishedAt> {
  const root = `https://raw.githubusercontent.com/${repository}/${commit}`;
  return Object.fromEntries(
    Object.entries(paths).map(([file, path]) => {
      const at: PublishedAt = { url: `${root}/${path}`, cadence: 'static' };
      return [file, path.includes('{') ? { ...at, via: 'parts' } : at];
    }),
  );
}
