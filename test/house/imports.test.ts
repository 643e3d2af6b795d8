import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Which rooms each room may import besides itself; what ingest may use of query/ is in rooms.test.ts. */
const ALLOWED: Record<string, readonly string[]> = {
  client: [],
  datasets: [],
  ingest: ['datasets', 'query'],
  query: ['datasets'],
  pipelines: ['ingest', 'query', 'datasets'],
  server: ['query', 'datasets'],
  // What people look at speaks to the server by its API alone, and reads its events as other callers do. It judges values by the rules
  // of the catalog with the function that answers in words judge by.
  web: ['client', 'datasets/verdict.ts'],
};

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => /\.tsx?$/.test(name) && !/(^|\/)(dist|node_modules)\//.test(name))
    .map(name => join(folder, name));
}

/** Paths of relative imports (static, dynamic and URL-based) of one file, resolved. */
function importsOf(file: string, text: string): string[] {
  const found = text.matchAll(/(?:from\s+|import\s*\(\s*|import\s+|new URL\(\s*)['"](\.{1,2}\/[^'"]*)['"]/g);
  return [...found].map(match => resolve(dirname(file), match[1]!));
}

function violations(room: string, file: string, text: string): string[] {
  const allowed = [room, ...ALLOWED[room]!];
  return importsOf(file, text)
    .map(path => relative(root, path))
    .map(path => ({ path, target: path.split('/')[0]! }))
    .filter(({ target }) => target in ALLOWED || ['bench', 'test'].includes(target))
    .filter(({ path, target }) => !allowed.includes(target) && !allowed.includes(path))
    .map(({ target }) => `${relative(root, file)} imports ${target}/`);
}

describe('imports run one way', () => {
  for (const room of Object.keys(ALLOWED))
    it(`${room}/ imports only ${ALLOWED[room]!.join(', ') || 'itself'}`, () => {
      const files = sources(join(root, room));
      expect(files.length).toBeGreaterThan(0);
      expect(files.flatMap(file => violations(room, file, readFileSync(file, 'utf8')))).toEqual([]);
    });

  it('the oracle imports nothing from query/', () => {
    for (const file of sources(join(root, 'test/oracle')))
      expect(
        importsOf(file, readFileSync(file, 'utf8')).filter(path => relative(root, path).startsWith('query')),
      ).toEqual([]);
  });

  it('client/ is copied as it is: it imports its own files and nothing else', () => {
    for (const file of sources(join(root, 'client'))) {
      const imported = [...readFileSync(file, 'utf8').matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*)'([^']+)'/g)];
      expect(imported.map(([, path]) => path!).filter(path => !/^\.\/(?:api\/)?[\w-]+\.ts$/.test(path))).toEqual([]);
    }
  });

  it('files that a room may import one by one import nothing', () => {
    const single = Object.values(ALLOWED)
      .flat()
      .filter(path => path.includes('/'));
    for (const path of single) expect(readFileSync(join(root, path), 'utf8')).not.toMatch(/^\s*import\b|\bimport\(/m);
  });

  it('a wrong import is noticed', () => {
    const wrong = "import { x } from '../server/app.ts';";
    expect(violations('query', join(root, 'query/x.ts'), wrong)).toEqual(['query/x.ts imports server/']);
  });
});
