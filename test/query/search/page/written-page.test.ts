import { expect, it } from 'vitest';
import { framed, noMatches, pageText } from '../../../../query/search/page/written-page.ts';
import { textOf } from '../page-text.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

it('frames a text in its own memory where there is room', () => {
  const page = pageText([bytes('[1'), bytes(',2]')]);
  expect(Buffer.from(textOf(page)).toString()).toBe('[1,2]');
  const whole = framed(page, '{"matches":', ',"note":"ü"}');
  expect(JSON.parse(whole.toString())).toEqual({ matches: [1, 2], note: 'ü' });
  expect(whole.buffer).toBe(page.memory.buffer);
});

it('frames it in other memory, shared with nothing, where there is none', () => {
  const page = noMatches();
  const note = 'ü'.repeat(5000);
  const whole = framed(page, '{"matches":', `,"note":"${note}"}`);
  expect(JSON.parse(whole.toString())).toEqual({ matches: [], note });
  // What is spent with it must be its own: the pool of small buffers is everybody's.
  expect(whole.buffer).not.toBe(page.memory.buffer);
  expect(whole.buffer).not.toBe(Buffer.from('a').buffer);
});
