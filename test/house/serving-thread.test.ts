import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './files.ts';

/** What computes for tens of milliseconds: it runs in threads, for the serving thread answers everybody. */
const ELSEWHERE = [
  'server/ask/check/check.ts',
  'server/ask/plan/planner.ts',
  'server/ask/retrieval/retrieval.ts',
  'server/ask/site/site-task.ts',
  'server/ask/write/writer.ts',
  'server/field-requests/screening/exclusions.ts',
  'server/field-requests/screening/judgement.ts',
  'server/field-requests/screening/sub-asks.ts',
  'server/field-requests/screening/verdict.ts',
  'server/language-thread/works.ts',
  'server/mcp/name-search.ts',
];

/** Imports of values: what is imported for its types alone is gone when the program runs. */
const IMPORT = /^(?:import|export)\s+(?!type\b)[^;]*?from\s+'(\.[^']+)'|\bimport\s*\(\s*'(\.[^']+)'/gm;

/** Files that run where a file runs, with the file that brought each. */
function ranWith(first: string): ReadonlyMap<string, string> {
  const out = new Map([[first, '']]);
  for (const file of out.keys())
    for (const [, named, late] of readFileSync(join(root, file), 'utf8').matchAll(IMPORT)) {
      const target = relative(root, resolve(root, dirname(file), (named ?? late)!));
      if (!out.has(target) && target.endsWith('.ts')) out.set(target, file);
    }
  return out;
}

it.each(['server/service.ts', 'server/worker-process.ts'])(
  '%s runs nothing that reads or writes plain language',
  file => {
    const all = ranWith(file);
    expect(all.size).toBeGreaterThan(100);
    expect(ELSEWHERE.filter(name => all.has(name)).map(name => `${all.get(name)} imports ${name}`)).toEqual([]);
  },
);

it('what must run elsewhere is there, and in the thread', () => {
  expect(ELSEWHERE.filter(name => !existsSync(join(root, name)))).toEqual([]);
  const all = ranWith('server/language-thread/thread.ts');
  expect(ELSEWHERE.filter(name => !all.has(name))).toEqual([]);
});
