import { expect, it } from 'vitest';
import { catalog } from '../../../../datasets/catalog.ts';
import type { Evidence } from '../../../../server/ask/backend.ts';
import { writtenFrom } from '../../../../server/ask/write/writer.ts';
import { evidence } from './evidence.ts';

const write = (question: string, ...records: Evidence[]): string[] => {
  const fields = records.map(({ field }) => field);
  const part = { text: question, fields, unknown: [], enrichment: [] };
  const plan = { fields, preset: null, parts: [part] };
  return writtenFrom(catalog, { question, plan, evidence: records, about: 'the place' }).map(({ text }) => text);
};

it('a rent of a month is not set beside an income of a year, and an income is beside another', () => {
  const rent = evidence('tract_median_gross_rent_usd', { value: 1025 });
  const income = evidence('tract_median_household_income_usd', { value: 63_750 });
  const other = evidence('county_median_household_income_usd', { value: 61_842 });
  expect(write('How does rent compare with income?', rent, income).join(' ')).not.toMatch(/(?:lower|higher) than/);
  expect(write('How does income compare with the county?', income, other).join(' ')).toMatch(/lower than/);
});

it('a name that a No explains is not told as missing, and what is missing of one thing is told once', () => {
  const outside = evidence('within_tribal_land', { value: false });
  const name = evidence('tribal_land_name', { status: 'absent', notes: 'none of the tribal areas contains the point' });
  expect(write('Is it tribal land, and whose?', outside, name).join(' ')).not.toMatch(/given here/);
  const notes = 'none of the community water systems contains the point';
  const system = ['name', 'id', 'population_served'].map(end =>
    evidence(`public_water_system_${end}`, { status: 'absent', notes }),
  );
  expect(write('Is there a public water system?', ...system).join(' ')).toContain(
    'No public water system is given here',
  );
});
