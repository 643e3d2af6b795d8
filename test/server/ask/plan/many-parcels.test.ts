import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { asksOfMany } from '../../../../server/ask/plan/many-parcels.ts';

it.each([
  ...['Who is the largest landowner?', 'top 10 landowners', 'who owns the most land in Bangor'],
  ...[
    'how many lots over 5 acres lie outside the flood hazard area',
    'Which three parcels are nearest to a substation?',
  ],
  ...[
    'list all parcels owned by the city',
    'find me lots with more than 10 acres',
    'parcels within a mile of a substation',
  ],
  ...[
    'how many parcels are on it',
    'How many lots are here?',
    'cuantas parcelas hay',
    'how many parcels are within 1 km',
  ],
  ...['Which owner has the most acres?', 'biggest property owner', 'Who has the largest holdings in town?'],
  ...['what is the average lot size in this town', '¿Cuántas parcelas tienen más de 5 acres?'],
])('%s asks about many parcels', question => expect(asksOfMany(question)).toBe(true));

it.each([
  ...[
    'who owns this parcel',
    'what are the soil properties',
    'how many owners has it had',
    'is the lot larger than 5 acres',
  ],
  ...[
    'how many parking lots are nearby',
    'does it get lots of rain',
    'what is the average slope of the lot',
    'who owns the largest substation nearby',
  ],
])('%s does not', question => expect(asksOfMany(question)).toBe(false));

it('no question that fields answer is taken for one about many parcels', () => {
  const lines = readFileSync(new URL('../../../../bench/ask/questions.tsv', import.meta.url), 'utf8').split('\n');
  const answered = lines.slice(1).filter(line => line.split('\t')[1]);
  expect(answered.length).toBeGreaterThan(200);
  expect(answered.map(line => line.split('\t')[0]!).filter(asksOfMany)).toEqual([]);
});
