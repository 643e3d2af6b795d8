import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { ORACLE_TAGS, oracleReport } from './test/oracles.ts';

// Tests say by themselves what a server or command is given: a token exported to try a server out made some of them fail.
for (const name of Object.keys(process.env))
  if (name === 'PORT' || /^PLAT_(?!(TEST|TEST_COUNTIES|PICTURES)$)/.test(name)) delete process.env[name];

/** `long`: what does not fit into the ordinary run. `check`: the inner loop, without servers and real files. */
const run = process.env.PLAT_TEST;

const TESTS: Readonly<Record<string, readonly string[]>> = {
  long: ['test/**/*.long.test.ts'],
  check: ['test/{datasets,house,ingest,query}/**/*.test.ts'],
};
/** Each of these takes more than five seconds, or wants the synthetic area served: `make check` shall take less than ninety. */
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

/** They replace modules that others would share, so each has a process of its own; test/house knows them by `vi.mock`. */
const APART = ['test/**/*.apart.test.ts'];

/** Suites of the state store, which run once more behind a pooler: all of them in the long run, that of jobs in the other. */
const POOLED: Readonly<Record<string, () => string[]>> = {
  long: () => globSync('test/**/*.test.ts').filter(path => readFileSync(path, 'utf8').includes('describeStores(')),
  check: () => [],
};
const POOLED_ALWAYS = ['test/server/jobs/queue.test.ts'];

const exclude = [
  'node_modules/**',
  ...(run === 'long' ? [] : ['test/**/*.long.test.ts']),
  ...(run === 'check' ? SLOW.map(name => `test/{ingest,query}/**/${name}.test.ts`) : []),
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
    reporters: ['default', oracleReport],
    tags: ORACLE_TAGS,
    // One more than the cores of a small machine: tests of servers wait for a tenth to a half of their time.
    maxWorkers: 3,
    projects: [
      {
        extends: true,
        test: {
          ...shared,
          name: 'plat',
          provide: { pooled: false },
          include: [...(TESTS[run ?? ''] ?? ['test/**/*.test.ts'])],
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
