import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { places } from '../../datasets/places.ts';
import { DOCUMENTS } from '../../docs/generate.ts';

const packages = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

describe('documents', () => {
  for (const [name, render] of Object.entries(DOCUMENTS))
    it(`docs/${name} is what its registry says; make docs writes it`, async () => {
      expect(readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8')).toBe(await render());
    });

  it('docs/catalog.md calls files tested only where a test ingests their place', () => {
    const folder = new URL('../real/', import.meta.url);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.ts'));
    const tests = files.map(name => readFileSync(new URL(name, folder), 'utf8')).join('\n');
    const names = [...places.values()].filter(place => !place.synthetic).map(place => place.name);
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter(name => !tests.includes(`'${name}'`))).toEqual([]);
  });

  it('docs/dependencies.md says why each dependency is there', () => {
    const text = readFileSync(new URL('../../docs/dependencies.md', import.meta.url), 'utf8');
    const unnamed = Object.keys({ ...packages.dependencies, ...packages.devDependencies })
      .filter(name => !name.startsWith('@types/'))
      .filter(name => !text.includes(`\`${name}\``));
    expect(unnamed).toEqual([]);
  });
});
