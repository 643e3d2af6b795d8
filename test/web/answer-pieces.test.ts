import { describe, expect, it } from 'vitest';
import { answerPieces, inOrder } from '../../web/ask/answer-pieces.ts';

describe('an answer in pieces', () => {
  const zone = { text: 'The FEMA flood zone is AE.', fields: ['fema_flood_zone'] };
  const slope = { text: 'The slope is 2 degrees.', fields: ['slope_degrees'] };

  it('shows what cites nothing, where no sentence cites anything', () => {
    const answer = 'No field of the catalog answers this question, so nothing was looked up.';
    expect(answerPieces(answer, [])).toEqual([{ text: answer, fields: [] }]);
    expect(answerPieces(answer)).toEqual([{ text: answer, fields: [] }]);
  });

  it('keeps all of the answer, in its order', () => {
    const rest = 'No field of the catalog answers the rest of the question. All values are synthetic data.';
    const answer = `${zone.text} ${slope.text} ${rest}`;
    expect(answerPieces(answer, [zone, slope])).toEqual([zone, slope, { text: rest, fields: [] }]);
    expect(answerPieces(`Before. ${answer}`, [zone, slope])[0]).toEqual({ text: 'Before.', fields: [] });
  });
});

it('numbers records in the order in which they are first cited', () => {
  const pieces = [
    { text: 'A.', fields: ['flood'] },
    { text: 'B.', fields: ['slope', 'flood'] },
    { text: 'C.', fields: ['other', 'soil'] },
  ];
  expect(inOrder(['soil', 'flood', 'never', 'slope'], pieces)).toEqual(['flood', 'slope', 'soil', 'never']);
});
