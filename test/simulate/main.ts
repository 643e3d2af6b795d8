import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import './platform.ts';
import { type PlanEvent, planOf, wordsOf } from './plan.ts';
import { plant } from './planted.ts';
import { shortest } from './shrinkage.ts';

const { values } = parseArgs({
  options: {
    /** One seed, or the first and the last. */
    seeds: { type: 'string', default: '0' },
    /** Numbers of the events of its plan that take place; all without it. */
    only: { type: 'string' },
    /** Number of a fault that is planted. */
    fault: { type: 'string' },
    /** Shows a breach as it is found: nothing is left out of its history. */
    whole: { type: 'boolean' },
    /** Tells which branches of these files, with commas between, were gone through. */
    branches: { type: 'string' },
  },
});
const branchesOf = values.branches === undefined ? null : await (await import('./branches.ts')).countBranches();
if (values.fault !== undefined) plant(Number(values.fault));
const { simulateConnections } = await import('./database.ts');
const { beginning } = await import('./beginning.ts');
const { Simulation } = await import('./simulation.ts');
const { simulateFiles } = await import('./disk.ts');
const { writeExportsHere } = await import('./export.ts');
simulateConnections();
simulateFiles();
writeExportsHere();
const start = await beginning();

/** The same however often it is done. */
const play = (seed: number, events: readonly PlanEvent[]) => new Simulation(seed, events, start).run();

const [first = 0, last = first] = values.seeds.split('-').map(Number);
const only = values.only?.split(',').map(Number);
let breaches = 0;
const kinds = new Map<string, number>();
let steps = 0;
for (let seed = first; seed <= last && breaches === 0; seed++) {
  const all = planOf(seed);
  const plan = only ? only.map(i => all[i]!) : all;
  const outcome = await play(seed, plan);
  steps += outcome.steps;
  for (const kind of new Set(plan.flatMap(kindsOf))) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  if (outcome.breach === null) continue;
  breaches++;
  console.log(`seed ${seed}: ${outcome.breach}`);
  const history =
    only || values.whole
      ? plan
      : await shortest(plan, async events => alike((await play(seed, events)).breach) === alike(outcome.breach));
  const again = await play(seed, history);
  console.log(`The shortest history, at whose step ${again.steps} it is: ${again.breach}`);
  for (const event of history) console.log(`  ${wordsOf(event)}`);
  console.log(
    `make simulate SEED=${seed} ONLY=${history.map(event => all.indexOf(event)).join(',')} plays it again (${again.fingerprint})`,
  );
}
rmSync(start.folder, { recursive: true });
const summary = {
  seeds: last - first + 1,
  breaches,
  meanSteps: Math.round(steps / (last - first + 1)),
  kinds: Object.fromEntries(kinds),
};
console.log(JSON.stringify(summary));
if (branchesOf) {
  const branches = await branchesOf(values.branches!.split(','));
  for (const { file, line, text, isReached } of branches) if (!isReached) console.log(`${file}:${line} ${text}`);
  console.log(
    JSON.stringify({ branches: branches.length, reached: branches.filter(({ isReached }) => isReached).length }),
  );
}
process.exitCode = breaches > 0 ? 1 : 0;

/** What a breach is about, without its numbers. */
function alike(breach: string | null): string | undefined {
  return breach?.replaceAll(/\d+/g, '').slice(0, 60);
}

/** The kinds of trouble in an event. */
function kindsOf(event: PlanEvent): string[] {
  return event.what === 'ask' ? event.fates.filter(fate => fate !== 'arrives') : [event.what];
}
