import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { ORACLE_TAGS } from '../oracles.ts';

const TESTS = process.env.PLAT_MUTATED!.split('|');

/** The order in which a layer names its tests: the first that fails ends the run of a mutant. */
class NamedOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) => TESTS.findIndex(test => moduleId.endsWith(test));
    return files.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

/** Tests of one layer, which are run again and again, each time with another mutant. */
export default defineConfig({
  test: {
    globalSetup: ['test/shared-folder.ts'],
    setupFiles: ['test/environment.ts'],
    provide: { pooled: false },
    include: TESTS,
    sequence: { sequencer: NamedOrder },
    isolate: true,
    testTimeout: 30_000,
    // Another database says of the same statements what the embedded one says, and takes minutes.
    tags: ORACLE_TAGS.map(tag => ({ ...tag, skip: true })),
  },
});
