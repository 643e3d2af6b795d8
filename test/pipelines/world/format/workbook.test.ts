import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openSource } from '../../../../ingest/format.ts';
import { writeWorkbook } from '../../../../pipelines/world/format/workbook.ts';
import { folder } from '../truth.ts';

const out = folder();
afterAll(() => rmSync(out, { recursive: true, force: true }));

it('writes workbooks that a reader of spreadsheets reads back: numbers, days, text of all kinds, several sheets', async () => {
  const path = join(out, 'book.xlsx');
  const wide = Array.from({ length: 30 }, (_, i) => `c${i}`);
  const rows = await writeWorkbook(path, {
    First: [['only']],
    'Second & last': [
      ['a <title>'],
      ['id', 'day', 'open', 'none', ...wide],
      [1.5, new Date('2025-03-01T00:00:00Z'), true, null, ...wide.map((_, i) => i)],
      ['"5" & <b>', new Date('1999-12-31T00:00:00Z'), false, 'x', ...wide],
    ],
  });
  expect(rows).toBe(5);
  const source = await openSource(path, { options: { sheet: 'Second & last', skipLines: 1 } });
  const read = [];
  for await (const batch of source.rows()) read.push(...batch.map(row => row.properties));
  await source.close();
  expect(source.columns).toEqual(['id', 'day', 'open', 'none', ...wide]);
  expect(read[0]).toMatchObject({ id: 1.5, day: '2025-03-01', open: true, none: null, c0: 0, c29: 29 });
  expect(read[1]).toMatchObject({ id: '"5" & <b>', day: '1999-12-31', open: false, none: 'x', c29: 'c29' });
});
