import { expect, it } from 'vitest';
import { catalog } from '../../../../datasets/catalog.ts';
import { SPANISH_TITLES } from '../../../../server/ask/write/spanish-titles.ts';
import { SPANISH_VERDICTS } from '../../../../server/ask/write/spanish-verdicts.ts';

const fields = [...catalog.fields.values()];
const ruled = fields.filter(({ verdict }) => verdict);

it('every field of the catalog has a Spanish title, and no other', () => {
  const untold = fields.filter(({ name, spanish }) => !spanish && !SPANISH_TITLES.has(name));
  expect(untold.map(({ name, dataset }) => `${dataset}: say \`spanish\` of the field ${name}`)).toEqual([]);
  expect([...SPANISH_TITLES.keys()].filter(name => !catalog.fields.has(name))).toEqual([]);
  const own = fields.flatMap(({ spanish }) => spanish ?? []);
  for (const title of [...SPANISH_TITLES.values(), ...own])
    expect(title, 'a noun with its article, also of a yes or no: "la zona de ruido"').toMatch(
      /^(?:el|la|los|las) \p{Ll}/u,
    );
});

it('every verdict rule has Spanish words, and no other', () => {
  const untold = ruled.filter(({ name }) => !SPANISH_VERDICTS.has(name));
  expect(untold.map(({ name, dataset }) => `${dataset}: say \`spanish\` in the verdict of ${name}`)).toEqual([]);
  const names = new Set(ruled.map(({ name }) => name));
  expect([...SPANISH_VERDICTS.keys()].filter(name => !names.has(name))).toEqual([]);
});

it.each([...SPANISH_VERDICTS])('%s is told with its value, as in English', (name, { matter, yes, no, settledBy }) => {
  const { words } = catalog.fields.get(name)!.verdict!;
  const tells = (text: string) => text.includes('{value}');
  expect([tells(yes), tells(no)]).toEqual([tells(words.yes), tells(words.no)]);
  for (const text of [matter, settledBy]) expect(text).toMatch(/^\p{Ll}.*[^.]$/u);
});
