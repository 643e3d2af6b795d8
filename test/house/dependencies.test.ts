import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { filesBelow, root } from './files.ts';

/** Rooms that run in production from what `npm ci --omit=dev` installs; the explorer is bundled when it is built. */
const ROOMS = ['datasets', 'ingest', 'pipelines', 'query', 'server'];

/** Modules that a file loads when it runs: types are gone by then. */
const LOADED =
  /(?:^|\n)(?:import|export)\s+(?!type\s)(?:[^;'"]*?\bfrom\s+)?'([^'.][^']*)'|\b(?:import|require|resolve)\(\s*'([^'.][^']*)'/g;

const packageOf = (name: string) =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');

it('whatever is imported at run time is a dependency, not one of development', () => {
  const { dependencies } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const files = ['plat.ts', ...ROOMS.flatMap(filesBelow)].filter(path => !path.endsWith('.d.ts'));
  const missing = files.flatMap(path =>
    [...readFileSync(`${root}${path}`, 'utf8').matchAll(LOADED)]
      .map(([, one, other]) => (one ?? other)!)
      .filter(name => !name.startsWith('node:'))
      .map(packageOf)
      .filter(name => !Object.hasOwn(dependencies, name))
      .map(name => `${path}: ${name}`),
  );
  expect(missing).toEqual([]);
});

it('exactly one locked package has a script that runs when it is installed', () => {
  const { packages } = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8')) as {
    packages: Record<string, { hasInstallScript?: boolean }>;
  };
  const scripted = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript);
  // It checks that the program of this platform, another locked package, is there.
  expect(scripted.map(([path]) => path)).toEqual(['node_modules/esbuild']);
});
