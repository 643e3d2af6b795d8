// OWASP ASVS 5.0.0, levels 1 and 2: asvs.tsv has a line for each requirement, and each line leads to a test that there is.
import { existsSync, readFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';

/**
 * Identifiers and levels alone, from github.com/OWASP/ASVS, tag v5.0.0, 5.0/docs_en: chapter, then each section with its
 * requirements; those of level 2 have a ². The texts are there, under CC BY-SA 4.0.
 */
const REQUIREMENTS = [
  '1 / 1: 1² 2² / 2: 1 2 3 4 5 6² 7² 8² 9² / 3: 1 2 3² 4² 5² 6² 7² 8² 9² 10² 11² / 4: 1² 2² 3² / 5: 1 2²',
  '2 / 1: 1 2² 3² / 2: 1 2 3² / 3: 1 2² 3² 4² / 4: 1²',
  '3 / 2: 1 2 / 3: 1 2² 3² 4² / 4: 1 2 3² 4² 5² 6² / 5: 1 2 3 4² 5² / 7: 1² 2²',
  '4 / 1: 1 2² 3² / 2: 1² / 3: 1² 2² / 4: 1 2² 3² 4²',
  '5 / 1: 1² / 2: 1 2 3² / 3: 1 2 / 4: 1² 2² 3²',
  '6 / 1: 1 2² 3² / 2: 1 2 3 4 5 6 7 8 9² 10² 11² 12² / 3: 1 2 3² 4² / 4: 1 2 3² 4² / 5: 1² 2² 3² 4² 5² / 6: 1² 2² 3² / 8: 1² 2² 3² 4²',
  '7 / 1: 1² 2² 3² / 2: 1 2 3 4 / 3: 1² 2² / 4: 1 2 3² 4² 5² / 5: 1² 2² / 6: 1² 2²',
  '8 / 1: 1 2² / 2: 1 2 3² / 3: 1 / 4: 1²',
  '9 / 1: 1 2 3 / 2: 1 2² 3² 4²',
  '10 / 1: 1² 2² / 2: 1² 2² / 3: 1² 2² 3² 4² / 4: 1 2 3 4 5 6² 7² 8² 9² 10² 11² / 5: 1² 2² 3² 4² 5² / 6: 1² 2² / 7: 1² 2² 3²',
  '11 / 1: 1² 2² / 2: 1² 2² 3² / 3: 1 2 3² / 4: 1 2² 3² 4² / 5: 1² / 6: 1²',
  '12 / 1: 1 2² 3² / 2: 1 2 / 3: 1² 2² 3² 4²',
  '13 / 1: 1² / 2: 1² 2² 3² 4² 5² / 3: 1² 2² / 4: 1 2² 3² 4² 5²',
  '14 / 1: 1² 2² / 2: 1 2² 3² 4² / 3: 1 2² 3²',
  '15 / 1: 1 2² 3² / 2: 1 2² 3² / 3: 1 2² 3² 4² 5² 6² 7²',
  '16 / 1: 1² / 2: 1² 2² 3² 4² 5² / 3: 1² 2² 3² 4² / 4: 1² 2² 3² / 5: 1² 2² 3²',
  '17 / 1: 1² / 2: 1² 2² 3² 4² / 3: 1² 2²',
];

const required = REQUIREMENTS.flatMap(line => {
  const [chapter, ...sections] = line.split(' / ');
  return sections.flatMap(section => {
    const [name, numbers = ''] = section.split(': ');
    return numbers.split(' ').map(number => ({
      id: `${chapter}.${name}.${number.replace('²', '')}`,
      level: number.endsWith('²') ? '2' : '1',
    }));
  });
});

const ROOT = new URL('../../../', import.meta.url);
const [head, ...lines] = readFileSync(new URL('test/security/asvs/asvs.tsv', ROOT), 'utf8').trimEnd().split('\n');
const rows = lines.map(line => {
  const [id = '', level = '', subject = '', verdict = '', evidence = '', ...more] = line.split('\t');
  return { id, level, subject, verdict, evidence, more };
});
const REASON = 'not applicable because ';

const texts = new Map<string, string | null>();
function textOf(path: string): string | null {
  let text = texts.get(path);
  if (text === undefined) {
    const file = new URL(path, ROOT);
    text = path !== '' && existsSync(file) ? readFileSync(file, 'utf8') : null;
    texts.set(path, text);
  }
  return text;
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** Whether a file has a test of a title: `it('…'` or `it.each(…)('…'`, in any kind of quotation marks. */
function hasTest(text: string, title: string): boolean {
  const written = [title, title.replaceAll("'", "\\'"), title.replaceAll('"', '\\"'), title.replaceAll('`', '\\`')];
  const literals = [...new Set(written)].map(escaped).join('|');
  return new RegExp(`(?:\\bit|\\))\\(\\s*(['"\`])(?:${literals})\\1\\s*,`).test(text);
}

/** What is wrong with the evidence of a line; null for nothing. */
function fault({ verdict, evidence }: Pick<(typeof rows)[number], 'verdict' | 'evidence'>): string | null {
  if (verdict === 'not applicable')
    return evidence.startsWith(REASON) && evidence.length > REASON.length + 20 ? null : 'has no reason';
  if (verdict === 'not met') return /^not met: .{20,}/.test(evidence) ? null : 'says not what is not met';
  if (verdict !== 'test') return `has the verdict ${verdict}`;
  for (const one of evidence.split(' && ')) {
    const [path = '', title = ''] = one.split(' :: ');
    const text = textOf(path);
    if (text === null) return `names ${path}, which there is not`;
    if (title === '' || !hasTest(text, title)) return `names a test that ${path} has not: ${title}`;
  }
  return null;
}

it('there are 70 requirements of level 1 and 183 of level 2', () => {
  const of = (level: string) => required.filter(one => one.level === level).length;
  expect([of('1'), of('2'), new Set(required.map(({ id }) => id)).size]).toEqual([70, 183, 253]);
});

it('each has one line with its level, in their order, and no line is of none', () => {
  expect(head).toBe('id\tlevel\tsubject\tverdict\tevidence');
  expect(rows.map(({ id, level }) => ({ id, level }))).toEqual(required);
  expect(rows.filter(({ subject, more }) => subject === '' || subject.length > 60 || more.length > 0)).toEqual([]);
});

it('each leads to tests that there are, or says why it is not applicable', () => {
  const faults = rows.map(row => ({ id: row.id, fault: fault(row) }));
  expect(faults.filter(({ fault }) => fault !== null)).toEqual([]);
});

it('a line that leads nowhere is noticed', () => {
  const own = 'test/security/asvs/asvs.test.ts';
  const wrong = (verdict: string, evidence: string) => fault({ verdict, evidence });
  expect(wrong('test', `${own} :: a line that leads nowhere is noticed`)).toBeNull();
  expect(wrong('test', `${own} :: a line that leads`)).toContain('has not');
  expect(wrong('test', 'test/security/none.test.ts :: x')).toContain('there is not');
  expect(wrong('test', own)).toContain('has not');
  expect(wrong('not applicable', REASON)).toBe('has no reason');
  expect(wrong('perhaps', 'x')).toContain('verdict');
  expect(hasTest("it.each([\n  [1],\n])('%s is\\'nt', x => {})", "%s is'nt")).toBe(true);
});

afterAll(() => {
  const of = (verdict: string) => rows.filter(row => row.verdict === verdict);
  const unmet = of('not met');
  const list = unmet.length === 0 ? '' : `: ${unmet.map(({ id }) => id).join(', ')}`;
  console.info(
    `ASVS 5.0.0: ${of('test').length} by test, ${of('not applicable').length} not applicable, ${unmet.length} not met${list}`,
  );
});
