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

it('what the release lacks is one sentence, what a copy in it lacks another, and no sentence has a name for programs', () => {
  const slope = { subject: 'the slope', of: 'release' as const };
  const owner = { subject: "the parcel's owner", of: 'copy' as const };
  const parts = [
    {
      text: 'a',
      fields: [],
      unknown: [],
      enrichment: [],
      refused: 'data of x (fema_q3) is not here',
      lacks: [slope, { subject: 'the soil', of: 'release' as const }],
    },
    { text: 'b', fields: [], unknown: [], enrichment: [], refused: 'data of y', lacks: [slope, owner] },
  ];
  const task = { question: 'is it steep', plan: { fields: [], preset: null, parts }, evidence: [], about: 'the place' };
  expect(remarksOn(task)).toEqual([
    'This release has no data on the slope and the soil; its operator can add that.',
    "This copy of the published data lacks the parcel's owner; the operator of this service can add that.",
  ]);
  expect(remarksOn({ ...task, question: '¿Es empinado el terreno?' })).toEqual([
    expect.stringMatching(/^Esta edición no tiene datos/),
    expect.stringMatching(/^Esta copia de los datos publicados no tiene/),
  ]);
});

it('words of a question that are no words are not repeated', () => {
  expect(said('is there a 99 xyzzy42 xyzzy')[0]).toContain('tells of “xyzzy”;');
});
