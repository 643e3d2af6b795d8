import { globSync } from 'node:fs';
import { expect, it } from 'vitest';
import { simulate } from './command.ts';
import { FAULTS } from './faults.ts';
import { ROOT } from './planted.ts';

const HOUR_MS = 3_600_000;
const SEEDS = 10_000;
const PORTION = 250;

/** Does work two at a time. */
async function twoAtOnce<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const lane = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all([lane(), lane()]);
}

it(
  'no history of 10,000 seeds has a breach, and each kind of trouble is in a tenth of them',
  async () => {
    const portions = Array.from({ length: SEEDS / PORTION }, (_, i) => i * PORTION);
    const kinds = new Map<string, number>();
    await twoAtOnce(portions, async first => {
      const said = await simulate('--seeds', `${first}-${first + PORTION - 1}`);
      expect(said.code, said.text).toBe(0);
      expect(said.meanSteps).toBeGreaterThanOrEqual(2_000);
      for (const [kind, count] of Object.entries(said.kinds)) kinds.set(kind, (kinds.get(kind) ?? 0) + count);
    });
    for (const [kind, count] of kinds) expect(count, kind).toBeGreaterThanOrEqual(SEEDS / 10);
  },
  2 * HOUR_MS,
);

it(
  'each of the twenty faults is found',
  async () => {
    await twoAtOnce([...FAULTS.keys()], async nth => {
      const { code, text } = await simulate('--seeds', '0-199', '--whole', '--fault', String(nth));
      expect(code, `${FAULTS[nth]!.name}\n${text}`).toBe(1);
    });
  },
  HOUR_MS,
);

it(
  'ledger, idempotency and jobs are gone through to nineteen in twenty of their branches',
  async () => {
    const files = [
      'server/state/ledger.ts',
      'server/state/idempotency.ts',
      ...globSync('server/idempotency/*.ts', { cwd: ROOT }),
      // Who follows a job over HTTP is not part of it.
      ...globSync('server/jobs/*.ts', { cwd: ROOT }).filter(file => !file.endsWith('follower.ts')),
      ...['embedded', 'schedules', 'turns', 'backoff', 'next-due'].map(name => `server/state/jobs/${name}.ts`),
    ].sort();
    const { text } = await simulate('--seeds', '0-299', '--branches', files.join(','));
    const { branches, reached } = JSON.parse(text.split('\n').find(line => line.startsWith('{"branches"'))!);
    expect(reached / branches, text).toBeGreaterThanOrEqual(0.95);
  },
  HOUR_MS,
);
