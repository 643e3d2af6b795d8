import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordedAnswers } from '../../../server/docs/page/recorded-answers.ts';
import { syntheticHome } from '../../synthetic-home.ts';
import { referenceOf } from './examples.ts';
import { recordedAnswer } from './recorded-answer.ts';

describe('the examples of /v1/docs', { tags: ['curl'] }, () => {
  const home = mkdtempSync(join(tmpdir(), 'plat-docs-'));
  let reference: Awaited<ReturnType<typeof referenceOf>>;

  beforeAll(async () => {
    cpSync((await syntheticHome()).home, home, { recursive: true });
    reference = await referenceOf(home);
    expect(reference.page).toContain('a place of the release');
  }, 300_000);

  afterAll(async () => {
    await reference?.end();
    rmSync(home, { recursive: true, force: true });
  }, 60_000);

  it('work as they stand there, one of each operation, and answer as is shown below them', async () => {
    const { ids, samples, say } = reference;
    expect(samples.map(({ name }) => name).sort()).toEqual([...ids.keys()].sort());
    const problems: string[] = [];
    for (const sample of samples) {
      const { name, status } = sample;
      const { out, errors, statuses } = await say(sample);
      const before = statuses.slice(0, -1).every(code => code.startsWith('2'));
      if (statuses.at(-1) !== status || !before || /\$[A-Z_]{3}/.test(out))
        problems.push(
          `${name}: expected ${status}, got ${statuses.join(', ')}: ${out.slice(0, 300)} ${errors.slice(0, 300)}`,
        );
      const id = ids.get(name)!;
      const [shown, given] = [recordedAnswers()[id]?.keys, recordedAnswer(out).keys];
      if (out !== '' && JSON.stringify(shown) !== JSON.stringify(given))
        problems.push(`${name}: answers ${given}, and the reference shows ${shown}; make answers records it anew`);
    }
    expect(problems).toEqual([]);
  }, 300_000);
});
