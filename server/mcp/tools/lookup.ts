import { creditsOf } from '../../credits/price.ts';
import { LOOKUP_LIMIT_MS, lookUp } from '../../lookup/operation.ts';
import { LookupBody } from '../../lookup/schema.ts';
import { valueText } from '../../operation/value-text.ts';
import { shortText } from '../text.ts';
import { form, type Tool } from '../tool.ts';

/** Keys whose values are geometries, which the text leaves out. */
const SHAPES: ReadonlySet<string> = new Set(['geometry', 'geometry_wkt']);

const lineOf = (name: string, value: unknown) =>
  `${name}: ${valueText(
    typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).filter(([key]) => !SHAPES.has(key)))
      : value,
  )}`;

/** POST /v1/lookup. */
export const lookupTool: Tool = {
  name: 'lookup',
  title: 'The join keys of a place',
  description: () =>
    `County, tract, block, district, metro area, timezone, county market and parcel of an address or a lat,lng pair. clarify offers up to 3 candidates and picks none. ${creditsOf('POST /v1/lookup')} credits.`,
  when: 'The parcel and the areas of an address, a coordinate or what somebody typed: {tool}.',
  readOnly: true,
  forms: [
    form({
      schema: LookupBody,
      route: 'POST /v1/lookup',
      limitMs: LOOKUP_LIMIT_MS,
      async answer({ ctx, services }, body) {
        const result = await lookUp(ctx, services.lookup, body);
        const lines = Object.entries(result).map(([name, value]) => lineOf(name, value));
        return { structured: result, text: shortText(lines) };
      },
    }),
  ],
};
