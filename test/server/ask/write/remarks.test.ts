import { expect, it } from 'vitest';
import { catalog } from '../../../../datasets/catalog.ts';
import { planQuestion } from '../../../../server/ask/plan/planner.ts';
import { remarksOn } from '../../../../server/ask/write/remarks.ts';

const HOW =
  'To have a data point added, describe it in plain words with an example location in POST /v1/field-requests.';

/** What is said where nothing was fetched. */
const said = (question: string) => {
  const plan = planQuestion(catalog, question);
  expect(plan.fields).toEqual([]);
  return remarksOn({ question, plan, evidence: [], about: 'the place' });
};

it('what the catalog does not answer is named, with how to request it', () => {
  const nothing = 'No field of the catalog answers this question, so nothing was looked up';
  expect(said('Is there a gas station nearby?')).toEqual([
    `${nothing}: nothing is known here about “gas station”.`,
    HOW,
  ]);
  expect(said("What is my neighbor's phone number?")).toEqual([
    `${nothing}: nothing is known here about “phone number”.`,
    HOW,
  ]);
  expect(said('When was the house built?')).toEqual([
    `${nothing}: none that is about it gives a date or year.`,
    'POST /v1/enrich may answer it for the parcel, with `yearbuilt`.',
    HOW,
  ]);
  expect(said('who are my neighbors')[0]).toBe(`${nothing}: none that is about it gives a name.`);
});

it('words of a question that are no words are not repeated', () => {
  expect(said('is there a 99 xyzzy42 xyzzy')[0]).toContain('about “xyzzy”.');
});
