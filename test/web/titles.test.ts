import { expect, it } from 'vitest';
import { catalog } from '../../datasets/catalog.ts';
import { enrichCatalogOf } from '../../datasets/enrich/enrich.ts';
import { titleOf, wordsOf } from '../../web/api/titles.ts';

const described = [...enrichCatalogOf(catalog).fields.values()].filter(({ kind }) => kind !== 'fetch');

it('are words, short, and each of one field', () => {
  const titles = described.map(titleOf);
  expect(titles.filter(title => title.length > 48 || !/^[A-Z]/.test(title))).toEqual([]);
  expect(titles.filter((title, i) => titles.indexOf(title) !== i)).toEqual([]);
  // Words that run together, such as Sourcedate, where the description is too long for a title.
  const runTogether = described.filter(
    ({ name, description }) =>
      !name.includes('_') && description.length > 48 && titleOf({ name, description }) === wordsOf(name),
  );
  expect(runTogether.map(({ name }) => name)).toEqual([]);
});
