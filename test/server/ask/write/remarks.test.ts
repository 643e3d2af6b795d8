import { expect, it } from 'vitest';
import { catalog } from '../../../../datasets/catalog.ts';
import { planQuestion } from '../../../../server/ask/plan/planner.ts';
import { remarksOn } from '../../../../server/ask/write/remarks.ts';

/** What is said where nothing was fetched. */
const said = (question: string) => {
  const plan = planQuestion(catalog, question);
  expect(plan.fields).toEqual([]);
  return remarksOn({ question, plan, evidence: [], about: 'the place' });
};

it('what the catalog does not answer is named, with how to request it', () => {
  const request = 'a field request, with an example location, can have it added';
  expect(said('Is there a gas station nearby?')).toEqual([`No data here tells of “gas station”; ${request}.`]);
  expect(said("What is my neighbor's phone number?")).toEqual([`No data here tells of “phone number”; ${request}.`]);
  expect(said('When was the house built?')).toEqual([
    'No data here gives a date or year for that; the record of the parcel, by enrichment, may.',
  ]);
  expect(said('who are my neighbors')).toEqual([`No data here gives a name for that; ${request}.`]);
});

it('what the release lacks is one sentence, and no sentence has a name for programs', () => {
  const parts = [
    {
      text: 'a',
      fields: [],
      unknown: [],
      enrichment: [],
      refused: 'data of x (fema_q3) is not here',
      lacks: ['the slope', 'the soil'],
    },
    { text: 'b', fields: [], unknown: [], enrichment: [], refused: 'data of y', lacks: ['the slope'] },
  ];
  const task = { question: 'is it steep', plan: { fields: [], preset: null, parts }, evidence: [], about: 'the place' };
  expect(remarksOn(task)).toEqual(['This release has no data on the slope and the soil; its operator can add that.']);
  expect(remarksOn({ ...task, question: '¿Es empinado el terreno?' })[0]).toMatch(/^Esta edición no tiene datos/);
});

it('words of a question that are no words are not repeated', () => {
  expect(said('is there a 99 xyzzy42 xyzzy')[0]).toContain('tells of “xyzzy”;');
});
