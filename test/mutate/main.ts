import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { LAYERS, type MutatedLayer, UNTOLD } from './layers.ts';

const { values } = parseArgs({ options: { layer: { type: 'string', default: '' } } });

/** What changes the outcome of a test, or keeps it from one: an endless loop, or a module that cannot be loaded. */
const DEAD: ReadonlySet<string> = new Set(['Killed', 'Timeout', 'RuntimeError']);

type Mutant = Awaited<ReturnType<Stryker['runMutationTest']>>[number];

/** Why no test can tell a mutant from the code; null where one could. */
function whyUntold({ fileName, location }: Mutant): string | null {
  const lines = readFileSync(fileName, 'utf8')
    .split('\n')
    .slice(location.start.line - 1, location.end.line);
  const text = lines.join('\n');
  const file = relative(process.cwd(), fileName);
  return UNTOLD.find(each => each.file === file && text.includes(each.code))?.reason ?? null;
}

async function mutate(name: string, { files, tests }: MutatedLayer): Promise<void> {
  const began = Date.now();
  // Not by Stryker's own option of that name: with it mutants of what a module does when it is loaded are put in too late.
  process.env.PLAT_MUTATED = tests.join('|');
  const mutants = await new Stryker({
    mutate: [...files],
    testRunner: 'vitest',
    vitest: { configFile: 'test/mutate/vitest.config.ts', related: false },
    plugins: ['@stryker-mutator/vitest-runner'],
    // It reads this by a part of TypeScript that version 7 does not have; nothing here needs it.
    tsconfigFile: 'none',
    disableTypeChecks: false,
    reporters: [],
    warnings: false,
    ...({ logLevel: 'error' } as object),
    allowConsoleColors: false,
    concurrency: 2,
    timeoutMS: 15_000,
    ignorePatterns: ['/dist', '/web', '/bench', '/client', '/site', '/.*'],
  }).runMutationTest();
  for (const mutant of mutants) {
    if (DEAD.has(mutant.status)) continue;
    const { fileName, location, replacement } = mutant;
    const where = `${relative(process.cwd(), fileName)}:${location.start.line}:${location.start.column + 1}`;
    const why = whyUntold(mutant);
    console.log(`${where} ${mutant.status === 'NoCoverage' ? 'reached by no test' : 'lives'} as ${replacement}`);
    if (why !== null) console.log(`  no test can tell: ${why}`);
  }
  const dead = mutants.filter(({ status }) => DEAD.has(status)).length;
  const endless = mutants.filter(({ status }) => status === 'Timeout').length;
  const seconds = Math.round((Date.now() - began) / 1000);
  console.log(JSON.stringify({ layer: name, mutants: mutants.length, dead, endless, seconds }));
}

for (const [name, layer] of Object.entries(LAYERS))
  if (values.layer === '' || values.layer === name) await mutate(name, layer);
