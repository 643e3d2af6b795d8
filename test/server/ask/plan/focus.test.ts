import { expect, it } from 'vitest';
import { catalog } from '../../../../datasets/catalog.ts';
import { planQuestion } from '../../../../server/ask/plan/planner.ts';

const fieldsOf = (question: string) => planQuestion(catalog, question).fields;

it('what is asked of a thing beside where it is has no field', () => {
  for (const question of [
    'Which grocery store has the freshest fish?',
    'Does the pharmacy take my insurance plan?',
    'Is the EV charger broken?',
    'What cargo moved through the port last month?',
    'Who teaches fourth grade at the nearest school?',
  ])
    expect(fieldsOf(question), question).toEqual([]);
  expect(fieldsOf('Which hospital would they take me to?')).toContain('nearest_hospital_name');
  expect(fieldsOf('Am I going to hear freight trains?')).toContain('nearest_rail_line_distance_m');
  expect(fieldsOf('Could a wind farm pay here?')).toContain('wind_speed_100m_m_per_s');
});

it('a thing that other fields tell of is not called one that no data tells of', () => {
  const unknownOf = (question: string) => planQuestion(catalog, question).parts.flatMap(({ unknown }) => unknown);
  expect(unknownOf('Is the river clean?')).toEqual([]);
  expect(unknownOf('Who won the battle near this river?')).toContain('battle');
});

it('what only stands behind a preposition is not what a clause is about', () => {
  expect(fieldsOf('What battle was fought near the river?')).toEqual([]);
  expect(fieldsOf('How many people were hurt in the last tornado?')).toEqual([]);
  expect(fieldsOf('How loud is the refrigerator?')).toEqual([]);
  expect(fieldsOf('Is the lot in the floodway?')).toContain('within_regulatory_floodway');
  expect(fieldsOf('Is the structure in a V zone?')).toContain('coastal_high_hazard');
});

it('the longest term that a clause has as a whole is what it means', () => {
  expect(fieldsOf('Does the house have a heat pump?')).toEqual([]);
  expect(fieldsOf('How many kids at that school get free lunch?')).toEqual([]);
});

it('a misspelt word is one of a field, never one of a matter that no field tells', () => {
  expect(fieldsOf('How many feet over the govt flood level is this?')).toContain('base_flood_elevation_m');
});

it('what will be, what is for sale and how soon somebody comes have no field', () => {
  expect(fieldsOf("What's the assessed value going to be after the next review?")).toEqual([]);
  expect(fieldsOf("What's for sale within a mile?")).toEqual([]);
  expect(fieldsOf('How fast do ambulances get here?')).toEqual([]);
  expect(fieldsOf('How hot will it be by mid-century?')).toContain('projected_days_above_95f_midcentury');
});

it('how far is told by a distance, not by what has the name of the thing', () => {
  expect(fieldsOf('How close is the track?')).toEqual(['nearest_rail_line_distance_m']);
  expect(fieldsOf('Which church is closest?')).toEqual([]);
});
