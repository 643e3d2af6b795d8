import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { places } from '../../datasets/places.ts';
import { CLIENT, clientFiles, renderClientFiles } from '../../docs/client.ts';
import { DOCUMENTS } from '../../docs/generate.ts';
import { root } from './files.ts';

const packages = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

const text = (path: string) => readFileSync(join(root, path), 'utf8');

describe('documents', () => {
  for (const [name, render] of Object.entries(DOCUMENTS))
    it(`docs/${name} is what its registry says; make docs writes it`, async () => {
      const text = readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');
      expect(text, 'run `make docs` and commit what it writes').toBe(await render());
    });

  it('client/api is what the API description says; make docs writes it', async () => {
    const files = await renderClientFiles();
    expect(clientFiles(), 'run `make docs` and commit what it writes').toEqual([...files.keys()].sort());
    for (const [path, text] of files) expect(readFileSync(new URL(path, CLIENT), 'utf8'), path).toBe(text);
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

  it('name only files that there are', () => {
    const pages = readdirSync(join(root, 'docs')).filter(name => name.endsWith('.md'));
    const named = ['README.md', 'CONTRIBUTING.md', ...pages.map(name => `docs/${name}`)].flatMap(page =>
      [...text(page).matchAll(/`((?:datasets|ingest|pipelines|query|server|test|bench|docs)\/[\w./-]+)`/g)].map(
        ([, path]) => `${page}: ${path}`,
      ),
    );
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter(line => !existsSync(join(root, line.split(': ')[1]!)))).toEqual([]);
  });

  it('walk from HTTP to bytes over files that there are', () => {
    const walks = text('docs/architecture.md')
      .split(/^## /m)
      .filter(part => /^One \w+ \w+, from HTTP to bytes/.test(part));
    expect(walks).toHaveLength(2);
    for (const walk of walks) {
      const steps = walk.split('\n').filter(line => /^\d+\. /.test(line));
      expect(steps.length).toBeLessThanOrEqual(12);
      for (const step of steps) {
        let folder = '';
        for (const [, path] of step.matchAll(/`([\w./-]+\.ts)`/g)) {
          if (path!.includes('/')) folder = dirname(path!);
          // A name alone is that of a file beside the one before it.
          expect(existsSync(join(root, path!.includes('/') ? path! : join(folder, path!))), step).toBe(true);
        }
      }
    }
  });
});
