import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { folder } from '../pipelines/world/truth.ts';
import { syntheticHome } from '../synthetic-home.ts';
import { goldenAnswers, hashLines } from './answers.ts';

/** Every seventh takes a few seconds, and asks for each group of fields. */
const EVERY = process.env.PLAT_TEST === 'long' ? 1 : 7;

const at = folder();
afterAll(() => rmSync(at, { recursive: true, force: true }));

it('requests of the golden net have the answers they had', { timeout: 180_000 }, async () => {
  const home = join(at, 'home');
  cpSync((await syntheticHome()).home, home, { recursive: true });
  const answers = await goldenAnswers(home, EVERY);
  const known = readFileSync(fileURLToPath(new URL('hashes.txt', import.meta.url)), 'utf8')
    .split('\n')
    .filter(Boolean);
  const lines = hashLines(answers);
  const changed = answers.filter(({ index }, i) => lines[i] !== known[index]);
  expect(known).toHaveLength(2000);
  expect(lines).toHaveLength(Math.ceil(known.length / EVERY));
  expect(
    changed.slice(0, 5),
    `${changed.length} answers differ. Where that is meant, run \`make golden\` and commit test/golden/hashes.txt; \`make golden ANSWERS=folder\` writes whole answers, at this commit and at an earlier one, to compare`,
  ).toEqual([]);
});
