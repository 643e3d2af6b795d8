import type { RecordedAnswer } from '../../../server/docs/page/recorded-answers.ts';

/** Entries of a list and members of an object that are shown. */
const [MOST_ENTRIES, MOST_MEMBERS] = [2, 12];
/** Lines of an answer that are shown, and characters of a line. */
const [MOST_LINES, MOST_CHARACTERS] = [60, 160];
/** Tokens, cursors and hashes are shown by their first characters. */
const LONG_WORDS = /[\w-]{40,}(?:\.[\w-]+)*/g;
const WORD_START = 12;

/** A JSON value with the first entries of each list and object. */
function shortened(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(LONG_WORDS, word => `${word.slice(0, WORD_START)}…`);
  if (typeof value !== 'object' || value === null) return value;
  const more = (count: number, most: number) => (count > most ? [`${count - most} more`] : []);
  if (Array.isArray(value))
    return [
      ...value.slice(0, MOST_ENTRIES).map(shortened),
      ...more(value.length, MOST_ENTRIES).map(text => `… ${text}`),
    ];
  const members = Object.entries(value);
  const shown = members.slice(0, MOST_MEMBERS).map(([name, one]) => [name, shortened(one)]);
  return Object.fromEntries([...shown, ...more(members.length, MOST_MEMBERS).map(text => ['…', text])]);
}

const firstLines = (text: string): string => {
  const lines = text
    .split('\n')
    .map(line => (line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS)}…` : line));
  return (lines.length > MOST_LINES ? [...lines.slice(0, MOST_LINES), '…'] : lines).join('\n');
};

/** What is recorded of an answer. @param body as it was sent: JSON, or another text. */
export function recordedAnswer(body: string): RecordedAnswer {
  try {
    const value: unknown = JSON.parse(body);
    const keys = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value).sort() : [];
    return { keys, text: firstLines(JSON.stringify(shortened(value), null, 2)) };
  } catch {
    return { keys: [], text: firstLines(body.trim()) };
  }
}
