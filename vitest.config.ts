import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { AreaOrder } from './test/area-order.ts';
import { leftOutReport } from './test/left-out.ts';
import { ORACLE_TAGS, oracleReport } from './test/oracles.ts';

// Tests say by themselves what a server or command is given: a token exported to try a server out made some of them fail.
for (const name of Object.keys(process.env))
  if (name === 'PORT' || /^PLAT_(?!(TEST|TEST_COUNTIES|PICTURES)$)/.test(name)) delete process.env[name];

/** `long`: what does not fit into the ordinary run. `check`: the inner loop. */
const run = process.env.PLAT_TEST;

/** Files that differ from main, or from the last commit where there is no main; null where git cannot say. */
function changedFiles(): string[] | null {
  const git = (...args: readonly string[]) => execFileSync('git', args, { encoding: 'utf8', stdio: 'pipe' }).trim();
  const lines = (text: string) => text.split('\n').filter(Boolean);
  try {
    let base = 'HEAD';
    try {
      base = git('merge-base', 'HEAD', 'main');
    } catch {
      // A clone of one branch.
    }
    return [...lines(git('diff', '--name-only', base)), ...lines(git('ls-files', '--others', '--exclude-standard'))];
  } catch {
    return null;
  }
}

/**
 * What `make check` runs, by the folders in which something changed: all that a dataset or an operation can break, and of the rest what
 * is near the change. Where nothing changed it runs all of it.
 */
const CHECKS: readonly { readonly changed: RegExp; readonly tests: readonly string[] }[] = [
  { changed: /^/, tests: ['test/house/**', 'test/datasets/{,enrich/,grammar/}*'] },
  {
    changed: /^(?:datasets|query|server|client|docs|test)\/|^plat\.ts$/,
    tests: [
      'test/server/meta/*',
      'test/server/mcp/{budget,tools}',
      'test/server/http/errors',
      'test/server/ask/write/{spanish,subject,writer}',
      'test/server/{owners,sets}/*',
      'test/security/{api9-inventory,caching}',
      'test/query/engine/job',
      'test/query/fields/*',
      'test/web/titles',
    ],
  },
  {
    changed: /^(?:datasets\/places\/synthetic|pipelines\/world)/,
    tests: ['test/pipelines/world/{data,place,streams}'],
  },
  { changed: /^(?:datasets\/templates|ingest)\//, tests: ['test/datasets/templates/*'] },
  { changed: /^web\//, tests: ['test/web/*'] },
];

/** The tests of the folder of ingest/ or query/ that a file stands in, and a test itself. */
function nearTo(file: string): string[] {
  const [, folder] = /^((?:ingest|query)\/[\w-]+)\//.exec(file) ?? [];
  if (folder) return [`test/${folder}/**`];
  return /^test\/(?!.*\.(?:long|apart)\.).*\.test\.ts$/.test(file) ? [file.replace(/\.test\.ts$/, '')] : [];
}

function checkedTests(): string[] {
  const files = changedFiles() ?? [];
  const all = files.length === 0;
  const some = CHECKS.filter(({ changed }) => all || files.some(file => changed.test(file))).flatMap(
    each => each.tests,
  );
  const tests = [...some, ...(all ? ['test/{ingest,query}/**'] : files.flatMap(nearTo))];
  return [...new Set(tests)].map(path => (path.endsWith('**') ? `${path}/*.test.ts` : `${path}.test.ts`));
}

const TESTS: Readonly<Record<string, () => readonly string[]>> = {
  long: () => ['test/**/*.long.test.ts'],
  check: checkedTests,
};
/** Each of these takes more than five seconds: `make check` shall take less than sixty. */
const SLOW = [
  'agreement',
  'bombs',
  'box-tree-nearest',
  'calculated-names',
  'certainty',
  'damage',
  'damaged-file',
  'engine',
  'enrich',
  'feature-distance',
  'features-area',
  'filegdb',
  'flatgeobuf',
  'geopackage',
  'geoparquet',
  'geotiff-damage',
  'ground-task',
  'lzw',
  'matrix',
  'nearest',
  'null-columns',
  'oracle',
  'overlap-fraction',
  'pgrouting',
  'point-agreement',
  'raster-area',
  'search-task',
  'tile',
];

/** As well: a linter of API descriptions, and whatever wants the synthetic area built. */
const slowOfServer = (): string[] => [
  'test/server/meta/api-rules.test.ts',
  ...globSync('test/{query,server}/**/*.test.ts').filter(path => readFileSync(path, 'utf8').includes('syntheticHome(')),
];

/** They replace modules that others would share, so each has a process of its own; test/house knows them by `vi.mock`. */
const APART = ['test/**/*.apart.test.ts'];

/** Suites of the state store, which run once more behind a pooler: all of them in the long run, that of jobs in the other. */
const POOLED: Readonly<Record<string, () => string[]>> = {
  long: () =>
    globSync('test/**/*.test.ts').filter(path => /describe(?:Stores|Doors)\(/.test(readFileSync(path, 'utf8'))),
  check: () => [],
};
const POOLED_ALWAYS = ['test/server/jobs/queue.test.ts'];

const exclude = [
  'node_modules/**',
  ...(run === 'long' ? [] : ['test/**/*.long.test.ts']),
  ...(run === 'check' ? [...SLOW.map(name => `test/{ingest,query}/**/${name}.test.ts`), ...slowOfServer()] : []),
];
const shared = {
  setupFiles: ['test/environment.ts', 'test/security/watch-logs.ts'],
  pool: 'forks' as const,
  // A test that fails now and then is a defect to be found, so none is tried twice.
  retry: 0,
  testTimeout: 180_000,
  hookTimeout: 300_000,
};

export default defineConfig({
  test: {
    globalSetup: ['test/shared-folder.ts'],
    reporters: ['default', oracleReport, ...(run === 'check' ? [leftOutReport(changedFiles() ?? [])] : [])],
    tags: ORACLE_TAGS,
    sequence: { sequencer: AreaOrder },
    // One more than the cores of a small machine: tests of servers wait for a tenth to a half of their time.
    maxWorkers: 3,
    projects: [
      {
        extends: true,
        test: {
          ...shared,
          name: 'plat',
          provide: { pooled: false },
          include: [...(TESTS[run ?? '']?.() ?? ['test/**/*.test.ts'])],
          exclude: [...exclude, ...APART],
          // One process runs many files: loading all modules again for each took a third of the time.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          ...shared,
          name: 'apart',
          provide: { pooled: false },
          include: run === undefined ? APART : [],
          exclude: ['node_modules/**'],
          isolate: true,
        },
      },
      {
        extends: true,
        test: {
          ...shared,
          name: 'pooled',
          provide: { pooled: true },
          include: POOLED[run ?? '']?.() ?? POOLED_ALWAYS,
          exclude: ['node_modules/**'],
          isolate: false,
        },
      },
    ],
  },
});
