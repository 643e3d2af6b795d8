import { expect, it } from 'vitest';
import { rowsOfUtility } from '../../../query/evaluate/utility-rates.ts';

const row = (eiaid: string, service_type: string, rate: number) => ({ eiaid, service_type, rate });

it('takes the bundled rows of the utility, else its delivery', () => {
  const rows = [row('1', 'Delivery', 3), row('1', 'Bundled', 5), row('2', 'Bundled', 9), row('3', 'Delivery', 4)];
  expect(rowsOfUtility(rows, '1')).toEqual({ rows: [rows[1]], notes: [] });
  expect(rowsOfUtility(rows, '3')).toEqual({ rows: [rows[3]], notes: [] });
});

it('takes all bundled rows of the ZIP area where the utility is not listed, and says so', () => {
  const rows = [row('1', 'Delivery', 3), row('1', 'Bundled', 5), row('2', 'Bundled', 9)];
  const { rows: mean, notes } = rowsOfUtility(rows, '7');
  expect(mean).toEqual(rows.slice(1));
  expect(notes).toEqual([expect.stringMatching(/7 is not listed.* 2 utilities/)]);
  expect(rowsOfUtility([row('1', 'Delivery', 3)], '7')).toEqual({ rows: [], notes: [] });
});
