import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { simulate } from './command.ts';
import { FAULTS } from './faults.ts';
import { ROOT, withFault } from './planted.ts';

it('no history of 200 seeds loses a credit, halves a release, forgets a callback or shows what is another’s', async () => {
  const halves = await Promise.all([simulate('--seeds', '0-99'), simulate('--seeds', '100-199')]);
  for (const { code, text } of halves) expect(code, text).toBe(0);
  for (const { meanSteps } of halves) expect(meanSteps).toBeGreaterThanOrEqual(2_000);
});

it('a planted fault is found, and plays again in another process as it was', async () => {
  const once = () => simulate('--seeds', '0-9', '--fault', '0', '--whole');
  const [found, again] = await Promise.all([once(), once()]);
  expect(found.code, found.text).toBe(1);
  expect(found.text).toMatch(/^make simulate SEED=\d+ ONLY=[\d,]+ plays it again \(\d+\)$/m);
  expect(again.text).toBe(found.text);
});

it('what each of the twenty faults replaces stands in its file once', () => {
  expect(FAULTS).toHaveLength(20);
  for (const fault of FAULTS) withFault(readFileSync(join(ROOT, fault.file), 'utf8'), fault);
});
