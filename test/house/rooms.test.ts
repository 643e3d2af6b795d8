import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesBelow, root } from './files.ts';

/** The rooms of query/: each may import those before it and no other. docs/architecture.md says what is in them. */
const ROOMS = [
  'geometry',
  'format',
  'cql',
  'release',
  'tile',
  'evaluate',
  'parcel',
  'changes',
  'search',
  'sets',
  'features',
  'buildable',
  'structures',
  'geocode',
  'route',
  'enrich',
  'suggest',
  'assemblage',
  'accumulation',
  'engine',
] as const;

/** What else of query/ ingest may use: pure functions and file formats. */
const FOR_INGEST = ['geometry', 'format'];

/** Folders of one file a thing, which grow with the catalog. */
const ONE_FILE_A_THING = [
  'datasets/products',
  'query/evaluate/operators',
  'server/errors',
  'server/state/migrations',
  'client/api',
  'bench',
];

/** A file and the files that it imports, types included; paths from the root of the project. */
type Imports = ReadonlyMap<string, readonly string[]>;

const IMPORT = /(?:from\s+|import\s*\(\s*|import\s+|new URL\(\s*)['"](\.{1,2}\/[^'"]*\.ts)['"]/g;

function importsOf(files: readonly string[], read: (file: string) => string): Imports {
  return new Map(
    files.map(file => [
      file,
      [...read(file).matchAll(IMPORT)].map(match => relative(root, resolve(root, dirname(file), match[1]!))),
    ]),
  );
}

const FOLDERS = ['client', 'datasets', 'ingest', 'query', 'pipelines', 'server', 'docs', 'bench', 'web'];
const files = FOLDERS.flatMap(filesBelow);
const imports = importsOf(files, file => readFileSync(join(root, file), 'utf8'));

const roomOf = (file: string): number => {
  const [top, room] = file.split('/');
  return top === 'query' ? ROOMS.indexOf(room as (typeof ROOMS)[number]) : -1;
};

/** Arrows from a room to one that stands behind it, as `a -> b`. */
function upwards(all: Imports): string[] {
  const out: string[] = [];
  for (const [file, targets] of all)
    for (const target of targets)
      if (file.startsWith('query/') && target.startsWith('query/') && roomOf(target) > roomOf(file))
        out.push(`${file} -> ${target}`);
  return out;
}

/** Every circle of imports, named by its files (Tarjan's strongly connected components). */
function circles(all: Imports): string[] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const out: string[] = [];
  const visit = (file: string) => {
    index.set(file, index.size);
    low.set(file, index.get(file)!);
    stack.push(file);
    for (const target of all.get(file) ?? []) {
      if (!all.has(target)) continue;
      if (!index.has(target)) visit(target);
      if (stack.includes(target)) low.set(file, Math.min(low.get(file)!, low.get(target)!));
    }
    if (low.get(file) !== index.get(file)) return;
    const circle = stack.splice(stack.indexOf(file));
    if (circle.length > 1) out.push(circle.join(' -> '));
  };
  for (const file of all.keys()) if (!index.has(file)) visit(file);
  return out;
}

/** Folders whose own folders and files import one way: no two of them import each other, over however many others. */
const ONE_WAY = ['datasets', 'ingest', 'pipelines', 'query', 'query/evaluate', 'server'];

/** The imports between the rooms of a folder: its folders, and the files that stand in it. */
function betweenRooms(all: Imports, folder: string): Imports {
  const room = (file: string) => `${folder}/${file.slice(folder.length + 1).split('/')[0]}`;
  const out = new Map<string, string[]>();
  for (const [file, targets] of all) {
    if (!file.startsWith(`${folder}/`)) continue;
    const inside = targets.filter(target => target.startsWith(`${folder}/`)).map(room);
    out.set(room(file), [...(out.get(room(file)) ?? []), ...inside.filter(target => target !== room(file))]);
  }
  return out;
}

describe('the rooms', () => {
  it('every file of query/ stands in a room', () => {
    expect(files.filter(file => file.startsWith('query/') && roomOf(file) < 0)).toEqual([]);
  });

  it('rooms of query/ import only those before them', () => {
    expect(upwards(imports)).toEqual([]);
  });

  it('ingest/ imports of query/ only geometry and formats', () => {
    const wrong = [...imports].flatMap(([file, targets]) =>
      targets
        .filter(target => file.startsWith('ingest/') && target.startsWith('query/'))
        .filter(target => !FOR_INGEST.includes(target.split('/')[1]!))
        .map(target => `${file} -> ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('no two files import each other, not even types', () => {
    expect(circles(imports)).toEqual([]);
  });

  it.each(ONE_WAY)('the rooms of %s import one way', folder => {
    expect(circles(betweenRooms(imports, folder))).toEqual([]);
  });

  it('only query/engine/ knows threads', () => {
    const threads = /from '(?:piscina|node:worker_threads)'/;
    const wrong = files
      .filter(file => file.startsWith('query/') && !file.startsWith('query/engine/'))
      .filter(file => threads.test(readFileSync(join(root, file), 'utf8')));
    expect(wrong).toEqual([]);
  });

  it('no folder is a crowd', () => {
    const count = new Map<string, number>();
    for (const file of [...files, ...filesBelow('test')]) count.set(dirname(file), (count.get(dirname(file)) ?? 0) + 1);
    const crowds = [...count].filter(([folder, n]) => n > 25 && !ONE_FILE_A_THING.includes(folder));
    const told = crowds.map(([folder, n]) => `${folder} has ${n} files, 25 at most: files of one noun make a folder`);
    expect(told).toEqual([]);
  });

  it('a wrong arrow and a circle are noticed', () => {
    const texts: Record<string, string> = {
      'query/geometry/a.ts': "import type { B } from '../engine/b.ts';",
      'query/engine/b.ts': "import { a } from '../geometry/a.ts';",
    };
    const wrong = importsOf(Object.keys(texts), file => texts[file]!);
    expect(upwards(wrong)).toEqual(['query/geometry/a.ts -> query/engine/b.ts']);
    expect(circles(wrong)).toHaveLength(1);
  });
});
