import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** Files of the project, also those that nobody has added yet. */
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .filter(path => existsSync(`${root}${path}`));

/** What declares a name: a variable, a function, a type, a member of a class. */
const DECLARATION = /\b(?:const|let|function\*?|class|interface|type) (\w+)|^ {2}(?:readonly )?(#\w+)/gm;

/** Names that stand in files and answers, and the types of those. */
const STORED = ['server/field-requests/schema.ts KnownSource', 'ingest/acquire/take.ts askedAt'];

describe('the house', () => {
  it('has only its fixed rooms at the top', () => {
    const rooms = new Set(tracked.filter(path => path.includes('/')).map(path => path.split('/')[0]));
    const fixed = [
      '.ci',
      'bench',
      'client',
      'datasets',
      'docs',
      'ingest',
      'pipelines',
      'query',
      'server',
      'test',
      'web',
    ];
    expect([...rooms].filter(room => !fixed.includes(room!))).toEqual([]);
  });

  it('names files by what they hold', () => {
    const empty = tracked.filter(path => /(^|\/)(utils?|helpers?|manager|misc|common)(\.|\/)/.test(path));
    expect(empty).toEqual([]);
  });

  it('names things by what they are, not by what became of them', () => {
    const empty = ['known', 'made', 'middle', 'here', 'soon', 'lone', 'begun', 'handed', 'opened', 'asked', 'solitude'];
    const sources = tracked.filter(path => /^(client|datasets|ingest|pipelines|query|server)\/.*\.ts$/.test(path));
    const inName = (name: string) =>
      name.split(/[-_#./]|(?<=[a-z0-9])(?=[A-Z])/).some(word => empty.includes(word.toLowerCase()));
    expect(sources.filter(inName)).toEqual([]);
    const declared = sources.flatMap(path =>
      [...readFileSync(`${root}${path}`, 'utf8').matchAll(DECLARATION)].map(
        ([, name, member]) => `${path} ${name ?? member}`,
      ),
    );
    expect(declared.length).toBeGreaterThan(5_000);
    expect(declared.filter(line => inName(line.split(' ')[1]!) && !STORED.includes(line))).toEqual([]);
    expect(inName('knownName') && inName('#opened') && inName('ASKED') && !inName('unknownFields')).toBe(true);
  });

  it('gives every dataset file the name of its dataset', async () => {
    const { catalog } = await import('../../datasets/catalog.ts');
    const files = tracked
      .filter(path => path.startsWith('datasets/products/'))
      .map(path => basename(path, '.ts').replaceAll('-', '_'));
    const wrong = [...catalog.datasets.keys()].filter(id => !files.includes(id));
    expect(
      wrong.map(id => `the file of dataset ${id} must be datasets/products/${id.replaceAll('_', '-')}.ts`),
    ).toEqual([]);
    expect(files).toHaveLength(catalog.datasets.size);
  });

  it('writes names in kebab-case', () => {
    const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.(test|(?:long|apart)\.test|d))?\.tsx?$/;
    expect(
      tracked.filter(path => /\.tsx?$/.test(path) && !/\.config\.ts$/.test(path) && !kebab.test(basename(path))),
    ).toEqual([]);
  });

  it('keeps files readable, of tests too', () => {
    const long = tracked
      .filter(path => /\.tsx?$/.test(path))
      .map(path => ({ path, lines: readFileSync(`${root}${path}`, 'utf8').trimEnd().split('\n').length }))
      // A dataset is one file: the everyday words of its fields fill lines without making it harder to read.
      .map(({ path, lines }) => ({ path, lines, most: path.startsWith('datasets/') ? 500 : 350 }))
      .filter(({ lines, most }) => lines > most)
      .map(
        ({ path, lines, most }) =>
          `${path} has ${lines} lines, ${most} at most: move what is a concept of its own to a file`,
      );
    expect(long).toEqual([]);
  });

  it('gives a test that replaces modules a process of its own', () => {
    const replacing = tracked
      .filter(path => path.startsWith('test/') && path.endsWith('.test.ts') && path !== 'test/house/names.test.ts')
      .filter(path => /\bvi\.(?:do)?[mM]ock\(/.test(readFileSync(`${root}${path}`, 'utf8')));
    expect(replacing.filter(path => !path.endsWith('.apart.test.ts'))).toEqual([]);
    expect(replacing).not.toEqual([]);
  });
});
