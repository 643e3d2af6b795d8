import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesBelow, root } from './files.ts';

/** Exports that only tests import, and why. */
const FOR_TESTS: Readonly<Record<string, string>> = {
  'server/auth/route-scopes.ts ROUTE_SCOPES': 'the table is compared with every route',
  'server/operation/operation.ts sampleOf': 'bodies that tests of every operation send',
  'server/docs/page/example-bodies.ts groundOf': 'what these bodies are about',
  'query/sets/sql/set-sql.ts isSqlTask': 'whether an operation that SQL says has declared it',
  'datasets/catalog.ts buildCatalog': 'catalogs of a few datasets, and what a catalog refuses',
  'query/release/verified-file.ts LOOK_MS': 'how long damage may go unseen, which tests of damage wait',
  'server/verification/verification.ts recompute': 'many answers are recomputed on one private server',
  'server/docs/site/histogram.ts sharesOf': 'the bars of a histogram, as numbers',
  'server/state/housekeeping.ts tidy': 'one round of the housekeeping, without its timer',
};

const SOURCES = ['datasets', 'ingest', 'pipelines', 'query', 'server'];

/** A text by the path of its file from the root of the project. */
type Texts = ReadonlyMap<string, string>;

const DECLARED = /^export (?:declare )?(?:async |abstract )?(const|let|function\*?|class|interface|type|enum) (\w+)/gm;
const NAMED = /(?:import|export)\s+(?:type\s+)?(?:\w+\s*,\s*)?\{([^}]*)\}\s*from\s*'(\.[^']+)'/g;
/** Imports of a whole file, after which any word of the text may be one of its exports. */
const WHOLE = /(?:\*\s+as\s+\w+\s+from\s*|import\s*\(\s*|new URL\(\s*)'(\.[^']+)'/g;

const isType = (kind: string) => kind === 'interface' || kind === 'type';
const words = (text: string): string[] => text.match(/\b\w+\b/g) ?? [];

/** What every text imports, as `file name`. */
function importedBy(texts: Texts): Set<string> {
  const out = new Set<string>();
  for (const [file, text] of texts) {
    const target = (path: string) => relative(root, resolve(root, dirname(file), path));
    for (const [, names, path] of text.matchAll(NAMED))
      for (const name of names!.split(',')) out.add(`${target(path!)} ${words(name.replace(/^\s*type /, ''))[0]}`);
    const whole = [...text.matchAll(WHOLE)].map(([, path]) => target(path!));
    for (const word of whole.length ? new Set(words(text)) : []) for (const path of whole) out.add(`${path} ${word}`);
  }
  return out;
}

/**
 * Exports that nobody imports, as `file name`. A type that its file uses beside is no such: callers
 * meet it in a signature, whether they name it or not.
 */
function unused(texts: Texts): string[] {
  const imported = importedBy(texts);
  const out: string[] = [];
  for (const [file, text] of texts) {
    if (!SOURCES.includes(file.split('/')[0]!)) continue;
    for (const [, kind, name] of text.matchAll(DECLARED))
      if (
        !imported.has(`${file} ${name}`) &&
        !(isType(kind!) && text.match(new RegExp(`\\b${name}\\b`, 'g'))!.length > 1)
      )
        out.push(`${file} ${name}`);
  }
  return out;
}

const everything = new Map(
  ['plat.ts', ...[...SOURCES, 'docs', 'bench'].flatMap(filesBelow)].map(file => [
    file,
    readFileSync(join(root, file), 'utf8'),
  ]),
);

const ours = unused(everything);

describe('exports', () => {
  it('are each for somebody besides tests', () => {
    const idle = ours.filter(name => !(name in FOR_TESTS));
    expect(idle, 'drop `export`, or say in FOR_TESTS why tests alone import it').toEqual([]);
  });

  it('that tests alone import are still there, and still for tests alone', () => {
    expect(Object.keys(FOR_TESTS).filter(name => !ours.includes(name))).toEqual([]);
  });

  it('without a reader are noticed', () => {
    const texts = new Map([
      ['query/a.ts', 'export const A = 1;\nexport interface B {}\nexport const c: B[] = [];\nexport type D = 1;\n'],
      ['server/b.ts', "import { c } from '../query/a.ts';"],
    ]);
    expect(unused(texts)).toEqual(['query/a.ts A', 'query/a.ts D']);
  });
});
