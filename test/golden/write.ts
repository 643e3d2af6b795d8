import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeArea } from '../area.ts';
import { goldenAnswers, hashLines } from './answers.ts';

// Makes the answers of the golden net anew. With a folder: writes whole answers there; without one: the file of hashes.
const [answersFolder] = process.argv.slice(2);
const at = mkdtempSync(join(tmpdir(), 'plat-golden-'));
try {
  const home = join(at, 'home');
  await makeArea(home, join(at, 'sources'));
  const answers = await goldenAnswers(home);
  if (answersFolder) {
    mkdirSync(answersFolder, { recursive: true });
    for (const [i, answer] of answers.entries())
      writeFileSync(join(answersFolder, `${String(i).padStart(4, '0')}.json`), `${JSON.stringify(answer, null, 1)}\n`);
  } else writeFileSync(fileURLToPath(new URL('hashes.txt', import.meta.url)), `${hashLines(answers).join('\n')}\n`);
} finally {
  rmSync(at, { recursive: true, force: true });
}
