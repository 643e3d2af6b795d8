import { Type } from 'typebox';
import { enrichCatalogOf } from '../../../datasets/enrich/enrich.ts';
import { termsOf } from '../../context.ts';
import { SURFACES } from '../../meta/surface.ts';
import { shortText } from '../text.ts';
import { form, type Tool } from '../tool.ts';
import { SEARCH } from '../works.ts';

const LIMIT_MS = 5_000;
const DEFAULT_LIMIT = 12;
const MAX_LIMIT = 50;

const CatalogBody = Type.Object(
  {
    query: Type.String({ minLength: 1, maxLength: 500, pattern: '\\S', description: 'Everyday words.' }),
    surface: Type.Optional(
      Type.Unsafe<(typeof SURFACES)[number]>({
        type: 'string',
        enum: [...SURFACES],
        description: 'Only names accepted there: service_fetch, service_enrich, filters or fields of service_search.',
      }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_LIMIT, description: `Default ${DEFAULT_LIMIT}.` })),
  },
  { additionalProperties: false },
);
/** Finds names by words, so that agents need not read the whole catalog. */
export const catalogTool: Tool = {
  name: 'catalog',
  title: 'Find fields by words',
  remark: 'finds field names by everyday words',
  description: catalog =>
    `Finds names among ${enrichCatalogOf(catalog).fields.size} fields by everyday words, English or Spanish, misspelt too: name, unit, meaning, where it is accepted which filter operators it takes, and why this release cannot answer it, where it cannot. Free. Call it before naming fields.`,
  when: 'Call {tool} with everyday words to get exact field names. Do not guess names.',
  readOnly: true,
  forms: [
    form({
      schema: CatalogBody,
      route: null,
      limitMs: LIMIT_MS,
      async answer({ ctx }, body) {
        const found = await ctx.language.have(SEARCH, { limit: DEFAULT_LIMIT, ...body }, termsOf(ctx));
        const availability = ctx.engine.availability();
        // What cannot be answered comes last, however well its words fit.
        const fields = found.fields
          .map(field => ({ ...field, why_not: availability.lackOf(field.name) }))
          .sort((a, b) => Number(a.why_not !== null) - Number(b.why_not !== null));
        const lines = fields.map(
          ({ name, type, unit, description, surfaces, filter_operators: operators, why_not: lack }) =>
            `${name} (${unit ?? type}; ${surfaces.join(', ')}${operators.length > 0 ? `: ${operators.join(' ')}` : ''}): ${description}${lack === null ? '' : ` Not here: ${lack}.`}`,
        );
        return {
          structured: { ...found, fields },
          text: shortText(lines.length > 0 ? lines : ['No field has these words: try others.']),
        };
      },
    }),
  ],
};
