import { defineConfig } from 'vitest/config';

const long = process.env.PLAT_TEST === 'long';

export default defineConfig({
  test: {
    include: long ? ['test/**/*.long.test.ts'] : ['test/**/*.test.ts'],
    exclude: long ? ['node_modules/**'] : ['node_modules/**', 'test/**/*.long.test.ts'],
    pool: 'forks',
    testTimeout: 60_000,
    hookTimeout: 180_000,
  },
});
