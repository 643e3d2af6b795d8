import { defineConfig } from 'vitest/config';

/** `long`: what does not fit into the ordinary run. `check`: the inner loop, without servers and real files. */
const run = process.env.PLAT_TEST;

const TESTS: Readonly<Record<string, readonly string[]>> = {
  long: ['test/**/*.long.test.ts'],
  check: ['test/{datasets,house,ingest,query}/**/*.test.ts'],
};
/** Each of these takes more than ten seconds: `make check` shall take less than ninety. */
const SLOW = ['agreement', 'damage', 'feature-distance', 'oracle', 'proximity', 'nearest', 'box-tree-nearest'];

export default defineConfig({
  test: {
    include: [...(TESTS[run ?? ''] ?? ['test/**/*.test.ts'])],
    exclude: [
      'node_modules/**',
      ...(run === 'long' ? [] : ['test/**/*.long.test.ts']),
      ...(run === 'check' ? SLOW.map(name => `test/query/**/${name}.test.ts`) : []),
    ],
    setupFiles: ['test/security/watch-logs.ts'],
    globalSetup: ['test/shared-folder.ts', 'test/oracles.ts'],
    pool: 'forks',
    // Both cores of a small machine; by default one is left to nobody.
    maxWorkers: 2,
    // A test that fails now and then is a defect to be found, so none is tried twice.
    retry: 0,
    testTimeout: 180_000,
    hookTimeout: 300_000,
  },
});
