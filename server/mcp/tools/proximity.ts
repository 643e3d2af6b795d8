import { valueText } from '../../operation/value-text.ts';
import { PROXIMITY_LIMIT_MS } from '../../proximity/deadline.ts';
import { proximity } from '../../proximity/operation.ts';
import { OPERATIONS, ProximityBody, SETS, SUMMARIES } from '../../proximity/schema.ts';
import { textOf } from '../text.ts';
import { form, type Tool } from '../tool.ts';

const isList = (value: unknown): value is readonly object[] => Array.isArray(value) && typeof value[0] === 'object';

/** Writes an answer as lines, one for each entry of a list. An answer may have thousands, so they are made one by one. */
function* linesOf(answer: object): Generator<string> {
  for (const [name, value] of Object.entries(answer))
    if (isList(value)) for (const [i, entry] of value.entries()) yield `${name} ${i}: ${valueText(entry)}`;
    else yield `${name}: ${valueText(value)}`;
}

const lineCount = (answer: object): number =>
  Object.values(answer).reduce((sum: number, value: unknown) => sum + (isList(value) ? value.length : 1), 0);

/** POST /v1/proximity. */
export const proximityTool: Tool = {
  name: 'proximity',
  title: 'Drive times and what is near',
  description: () =>
    `${OPERATIONS.map(operation => `${operation}: ${SUMMARIES[operation]}`).join('. ')}. Sets: ${SETS.join(', ')}. 1 credit per 10 driving calculations.`,
  lack({ roads, lackingSets }) {
    const lacking = [...(roads ? [] : ['drives (only nearest with by straight_line)']), ...lackingSets];
    return lacking.length === 0 ? null : `Not in this release: ${lacking.join(', ')}.`;
  },
  when: 'Drive times and what is near: {tool}.',
  readOnly: true,
  isMapped: true,
  forms: [
    form({
      schema: ProximityBody,
      unjudged: true,
      route: 'POST /v1/proximity',
      limitMs: PROXIMITY_LIMIT_MS,
      // An isochrone is a geometry.
      shapes: () => true,
      async answer({ ctx, services }, body) {
        const result = await proximity(ctx, services.proximity, body);
        return { structured: result, text: textOf(linesOf(result), lineCount(result)) };
      },
    }),
  ],
};
