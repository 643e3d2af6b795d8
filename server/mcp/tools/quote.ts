import { quoteFetch } from '../../fetch/quote.ts';
import { QuoteBody } from '../../fetch/quote-schema.ts';
import { shortText } from '../text.ts';
import { form, type Tool } from '../tool.ts';

const LIMIT_MS = 5_000;

/** POST /v1/fetch/quote. */
export const quoteTool: Tool = {
  name: 'quote',
  title: 'What a fetch would cost',
  description: () =>
    'Credits that service_fetch or service_fetch_batch would cost at most, and whether the allowance of the month covers them. Free.',
  when: 'What a fetch costs, before it is made: {tool}.',
  readOnly: true,
  forms: [
    form({
      schema: QuoteBody,
      route: 'POST /v1/fetch/quote',
      limitMs: LIMIT_MS,
      async answer({ ctx }, body) {
        const quote = await quoteFetch(ctx, body);
        const { allowance, credits_total: total, credits_per_location: each, locations, field_count: fields } = quote;
        const head = `${total} credits: ${fields} fields at ${locations} locations, ${each} a location. ${allowance.credits_remaining} of ${allowance.credits_included} are left on plan ${quote.plan} until ${allowance.resets_at}.`;
        return { structured: quote, text: shortText([head, ...quote.notes]) };
      },
    }),
  ],
};
