import { defineConfig } from 'vitest/config';

const long = process.env.PLAT_TEST === 'long';

export default defineConfig({
  test: {
    include: long ? ['test/**/*.long.test.ts'] : ['test/**/*.test.ts'],
    exclude: long ? ['node_modules/**'] : ['node_modules/**', 'test/**/*.long.test.ts'],
    globalSetup: ['test/shared-folder.ts', 'test/oracles.ts'],
    pool: 'forks',
    // Both cores of a small machine; by default one is left to nobody.
    maxWorkers: 2,
    // A test that fails now and then is a defect to be found, so none is tried twice.
    retry: 0,
    testTimeout: 60_000,
    hookTimeout: 180_000,
  },
});
