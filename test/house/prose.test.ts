// The pages as a reader meets them: short sentences, and none of the turns that readers stumbled over.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './files.ts';

/** Most words of a sentence on average over a page, and of the longest one. */
const MEAN_WORDS = 25;
const MOST_WORDS = 60;

/** Turns that readers had to read twice, each with what to write instead. Words in code are not looked at. */
const TURNS: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/^Who(?:ever)? [^?]*$/, 'a subject: “If you …”, “A caller who …”'],
  [/\bwho(?:so)?ever\b/i, 'the person by name: “anybody who”, “the caller”'],
  [/\b(?:the|those) first who\b/i, 'the subject: “the first request waits”'],
  [
    /(?<!\b(?:houses?|rows) )\bstands?\b(?!-| (?:in )?for\b| out\b| alone\b)/i,
    '“is”, “has” or “says”: only houses stand',
  ],
  [/\bgood for (?:an?|one|\d+|two|three) /i, '“is valid for”, “lasts”'],
  [/^As of (?:CODE|plat)\b/, '“Same as for”'],
  [/\b(?:(?:is|are|was|were|be) asked|tells?|told|says?|said|known) of\b/i, '“about” or “by”: “is known about”'],
  [/\ball the same\b/i, '“anyway”, “also then”, or nothing'],
  [/\bwhatever (?:became|becomes) of\b/i, 'what became of it'],
  [/\bhonest(?:ly)?\b/i, 'nothing: pages are'],
];

/** Spellings of another country. */
const BRITISH =
  /\b(?:licences?|(?:kilo|deci|centi|milli)?metres?|centre(?:line)?s?|neighbour\w*|colours?|behaviour|favour\w*)\b/i;

/** Words of the designed catalog, which datasets repeat to the letter. */
const DESIGNED: readonly string[] = [
  'MinElevSmo is centimetres',
  'feet unless LEN_UNIT says metres',
  'converted to cubic metres per day on load',
  'Licence or use terms of the source parcel file.',
];

/** The sentences of a page, without code, tables, headings and quotations of answers. */
export function sentencesOf(text: string): string[] {
  const prose = text.replace(/^```[\s\S]*?^```/gm, '').replace(/<!--[\s\S]*?-->/g, '');
  const blocks = prose.split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )/).map(block =>
    block
      .split('\n')
      .filter(line => !/^\s*(?:[|#>]|\*\*.*\?\*\*$)/.test(line))
      .map(line => line.replace(/^\s*(?:[-*]|\d+\.)\s+/, '').trim())
      .join(' ')
      .replace(/`[^`]*`/g, 'CODE')
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/\*\*?([^*]+)\*\*?/g, '$1')
      .trim(),
  );
  return blocks.flatMap(block => block.split(/(?<=[.!?:])["”)]?\s+(?=[A-Z“"(])/)).filter(one => /\w/.test(one));
}

/** The sentences in the cells of tables. */
const cellsOf = (text: string): string[] =>
  text
    .split('\n')
    .filter(line => line.startsWith('| '))
    .flatMap(line =>
      sentencesOf(
        line
          .split('|')
          .map(cell => cell.trim())
          .join('\n\n'),
      ),
    );

const wordsOf = (sentence: string): number => sentence.split(/\s+/).length;

const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs')).flatMap(name => (name.endsWith('.md') ? [`docs/${name}`] : [])),
];

describe.each(pages)('%s', page => {
  const text = readFileSync(join(root, page), 'utf8');
  const sentences = sentencesOf(text);

  it('has sentences of at most 25 words on average, and none that nobody can hold', () => {
    const mean = sentences.reduce((sum, one) => sum + wordsOf(one), 0) / Math.max(1, sentences.length);
    expect(mean).toBeLessThanOrEqual(MEAN_WORDS);
    expect(sentences.filter(one => wordsOf(one) > MOST_WORDS)).toEqual([]);
  });

  it('has no turn that readers stumbled over', () => {
    const stumbled = TURNS.flatMap(([pattern, instead]) =>
      [...sentences, ...cellsOf(text)].filter(one => pattern.test(one)).map(one => `${one} → ${instead}`),
    );
    expect(stumbled).toEqual([]);
  });

  it('is in American English', () => {
    const foreign = [...sentences, ...cellsOf(text)].filter(one => BRITISH.test(one));
    expect(foreign.filter(one => !DESIGNED.some(words => one.includes(words)))).toEqual([]);
  });
});

it('finds the turns, and leaves questions and what is in code alone', () => {
  const text =
    '# Who stands here\n\nWho asks gets facts. The key stands there. Who is it? See `whoever`:\n\n- It is good for a minute; A\n';
  const found = sentencesOf(text).filter(one => TURNS.some(([pattern]) => pattern.test(one)));
  expect(found).toEqual(['Who asks gets facts.', 'The key stands there.', 'It is good for a minute; A']);
});
