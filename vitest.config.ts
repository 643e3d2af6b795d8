import { defineConfig } from 'vitest/config';

const long = process.env.PLAT_TEST === 'long';

export default defineConfig({
  test: {
    include: long ? ['test/**/*.long.test.ts'] : ['test/**/*.test.ts'],
    exclude: long ? ['node_modules/**'] : ['node_modules/**', 'test/**/*.long.test.ts'],
    globalSetup: ['test/shared-folder.ts'],
    pool: 'forks',
    // Both cores of a small machine; by default one is left to nobody.
    maxWorkers: 2,
    // Tests that kill processes race the clock of a shared machine; a retry is reported, and none hides locally.
    retry: process.env.CI ? 2 : 0,
    testTimeout: 60_000,
    hookTimeout: 180_000,
  },
});
