import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeArea } from '../../area.ts';
import { referenceOf } from './examples.ts';
import { recordedAnswer } from './recorded-answer.ts';

// Records the answers that the reference shows: those of a server of the synthetic area to its own examples.
const FILE = fileURLToPath(new URL('../../../docs/reference/answers.json', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'plat-answers-'));
try {
  const home = join(work, 'home');
  await makeArea(home, join(work, 'sources'));
  const { ids, samples, say, address, end } = await referenceOf(home);
  const answers: Record<string, unknown> = {};
  for (const sample of samples) {
    const { out } = await say(sample);
    if (out !== '') answers[ids.get(sample.name)!] = recordedAnswer(out.replaceAll(address, 'http://127.0.0.1:8080'));
  }
  await end();
  const sorted = Object.fromEntries(Object.entries(answers).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(FILE, `${JSON.stringify(sorted, null, 1)}\n`);
} finally {
  rmSync(work, { recursive: true, force: true });
}
