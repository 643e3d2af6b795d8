import { PROXIMITY_LIMIT_MS } from '../../proximity/deadline.ts';
import { proximity } from '../../proximity/operation.ts';
import { OPERATIONS, ProximityBody, SETS, SUMMARIES } from '../../proximity/schema.ts';
import { textOf, valueText } from '../text.ts';
import { form, type Tool } from '../tool.ts';

/** Writes a part of an answer as lines, one for each entry of a list. */
const linesOf = (name: string, value: unknown): string[] =>
  Array.isArray(value) && typeof value[0] === 'object'
    ? value.map((entry, i) => `${name} ${i}: ${valueText(entry)}`)
    : [`${name}: ${valueText(value)}`];

/** POST /v1/proximity. */
export const proximityTool: Tool = {
  name: 'proximity',
  title: 'Drive times and what is near',
  description: () =>
    `${OPERATIONS.map(operation => `${operation}: ${SUMMARIES[operation]}`).join('. ')}. Sets: ${SETS.join(', ')}. 1 credit per 10 driving calculations.`,
  readOnly: true,
  forms: [
    form({
      schema: ProximityBody,
      unjudged: true,
      limitMs: PROXIMITY_LIMIT_MS,
      async answer({ ctx, services }, body) {
        const result = await proximity(ctx, services.proximity, body);
        const lines = Object.entries(result).flatMap(([name, value]) => linesOf(name, value));
        return { structured: result, text: textOf(lines) };
      },
    }),
  ],
};
