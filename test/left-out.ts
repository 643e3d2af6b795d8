import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import type { TestModule } from 'vitest/node';

const IS_TEST = /^test\/.*\.test\.ts$/;

/** Changed tests that did not run, with what runs them. @param changed paths of files from the root, as are those that `ran`. */
export function leftOutLines(changed: readonly string[], ran: ReadonlySet<string>): string[] {
  const left = [...new Set(changed)].filter(path => IS_TEST.test(path) && !ran.has(path)).sort();
  if (left.length === 0) return [];
  const long = left.filter(path => path.endsWith('.long.test.ts'));
  const others = left.filter(path => !long.includes(path));
  return [
    `make check left out ${left.length} of the tests that you changed, which take long. They run by:`,
    ...(others.length > 0 ? [`  npx vitest run ${others.join(' ')}`] : []),
    ...(long.length > 0 ? [`  PLAT_TEST=long npx vitest run ${long.join(' ')}`] : []),
  ];
}

/** Says, after the last test of `make check`, which changed tests it left out: green does not mean that they pass. */
export const leftOutReport = (changed: readonly string[]) => ({
  onTestRunEnd(modules: readonly TestModule[]): void {
    const ran = new Set(modules.map(({ moduleId }) => relative(process.cwd(), moduleId)));
    const present = changed.filter(path => existsSync(path));
    for (const line of leftOutLines(present, ran)) console.log(line);
  },
});
