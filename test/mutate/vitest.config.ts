import { defineConfig } from 'vitest/config';
import { ORACLE_TAGS } from '../oracles.ts';

/** Tests of one layer, which are run again and again, each time with another mutant. */
export default defineConfig({
  test: {
    globalSetup: ['test/shared-folder.ts'],
    setupFiles: ['test/environment.ts'],
    provide: { pooled: false },
    include: process.env.PLAT_MUTATED!.split('|'),
    isolate: true,
    testTimeout: 30_000,
    // Another database says of the same statements what the embedded one says, and takes minutes.
    tags: ORACLE_TAGS.map(tag => ({ ...tag, skip: true })),
  },
});
