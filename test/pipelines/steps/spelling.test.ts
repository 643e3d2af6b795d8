import { expect, it } from 'vitest';
import type { Column } from '../../../datasets/dataset.ts';
import { respelled } from '../../../pipelines/steps/spelling.ts';

const columns: Record<string, Column> = {
  aadt: { type: 'integer', aliases: ['AADT', 'AADT_VN'] },
  route: { type: 'string' },
};

it('reads a column under the spelling that the file has, the catalog name first', () => {
  const mapping = { aadt: 'aadt', route: 'route' };
  expect(respelled(mapping, columns, new Set(['aadt', 'AADT']))).toEqual(mapping);
  expect(respelled(mapping, columns, new Set(['AADT_VN', 'AADT']))).toEqual({ aadt: 'AADT', route: 'route' });
  expect(respelled({ aadt: { from: 'aadt', null: [0] } }, columns, new Set(['AADT_VN']))).toEqual({
    aadt: { from: 'AADT_VN', null: [0] },
  });
  // Services write a column in capitals or not; a spelling that the catalog lists goes first.
  expect(respelled({ aadt: 'aadt' }, columns, new Set(['Aadt', 'aadt_vn']))).toEqual({ aadt: 'Aadt' });
  expect(respelled({ aadt: 'aadt' }, columns, new Set(['Aadt', 'AADT_VN']))).toEqual({ aadt: 'AADT_VN' });
  expect(respelled({ route: 'route' }, columns, new Set(['ROUTE']))).toEqual({ route: 'ROUTE' });
  // A mapping may name one of the spellings itself.
  expect(respelled({ aadt: 'AADT' }, columns, new Set(['aadt']))).toEqual({ aadt: 'aadt' });
});

it('leaves alone what is no spelling of the column, and what the file has under no spelling', () => {
  for (const mapping of [{ aadt: 'traffic' }, { aadt: { const: 1 } }, { aadt: { from: ['aadt'] } }])
    expect(respelled(mapping, columns, new Set(['Aadt']))).toEqual(mapping);
  expect(respelled({ route: 'AADT' }, columns, new Set(['aadt']))).toEqual({ route: 'AADT' });
});
