import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A question, the fields that answer it best (none where the catalog does not), and what a good answer says with their values. */
export interface Question {
  readonly question: string;
  readonly fields: readonly string[];
  readonly gold: string;
}

const SEED = 29;

/** A number from 0 up to 1 for a text (FNV-1a), the same everywhere. */
function drawn(text: string): number {
  let hash = 0x811c9dc5 ^ SEED;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

/** The questions of questions.tsv in two halves: one to fit weights and words on, one to judge by. */
export function questionsInHalves(): { readonly fitting: Question[]; readonly judging: Question[] } {
  const text = readFileSync(fileURLToPath(new URL('./questions.tsv', import.meta.url)), 'utf8');
  const all = text
    .trimEnd()
    .split('\n')
    .slice(1)
    .map(line => {
      const [question = '', fields = '', gold = ''] = line.split('\t');
      return { question, fields: fields.split(' ').filter(Boolean), gold };
    });
  return Object.groupBy(all, ({ question }) => (drawn(question) < 0.5 ? 'fitting' : 'judging')) as ReturnType<
    typeof questionsInHalves
  >;
}
