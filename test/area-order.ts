import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The order of test files. One that wants the shared area comes first and builds it; those that want nothing of it come next, and
 * the others last: they would wait for half a minute, each in a process that has nothing else to do.
 */
export class AreaOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const wantsArea = new Map(
      sorted.map(file => [file, readFileSync(file.moduleId, 'utf8').includes('syntheticHome(')] as const),
    );
    const [builder, ...waiting] = sorted.filter(file => wantsArea.get(file));
    const others = sorted.filter(file => !wantsArea.get(file));
    return builder ? [builder, ...others, ...waiting] : others;
  }
}
