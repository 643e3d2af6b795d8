import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { root } from './files.ts';

it('make sbom lists every locked package', () => {
  execFileSync('make', ['-s', 'sbom'], { cwd: root });
  const read = (path: string) => JSON.parse(readFileSync(`${root}${path}`, 'utf8'));
  const { bomFormat, components } = read('sbom.json') as {
    bomFormat: string;
    components: { name: string; version: string }[];
  };
  expect(bomFormat).toBe('CycloneDX');
  const listed = new Set(components.map(({ name, version }) => `${name}@${version}`));
  const { packages } = read('package-lock.json') as { packages: Record<string, { version: string }> };
  const locked = Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`);
  expect(locked.filter(name => !listed.has(name))).toEqual([]);
});
