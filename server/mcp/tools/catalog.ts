import { Type } from 'typebox';
import { enrichCatalogOf } from '../../../datasets/enrich/enrich.ts';
import { judgeName } from '../../../query/search/request/name.ts';
import { accountOf, termsOf } from '../../context.ts';
import { nearestFields } from '../../errors/name-advice.ts';
import { SURFACES } from '../../meta/surface.ts';
import { FIELD_CREDITS, PLANS } from '../../plans.ts';
import { shortText } from '../text.ts';
import { form, type Tool } from '../tool.ts';
import { SEARCH } from '../works.ts';

const LIMIT_MS = 5_000;
const DEFAULT_LIMIT = 12;
const MAX_LIMIT = 50;

const CatalogBody = Type.Object(
  {
    query: Type.String({
      minLength: 1,
      maxLength: 500,
      pattern: '\\S',
      description: 'Everyday words; several topics with commas.',
    }),
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
/** Why a search does not take a name that other tools answer. */
const NOT_CALCULATED = 'it is not calculated for all parcels of this release; service_enrich answers it for one';

/** Finds names by words, so that agents need not read the whole catalog. */
export const catalogTool: Tool = {
  name: 'catalog',
  title: 'Find fields by words',
  remark: 'finds field names by everyday words',
  description: catalog =>
    `Finds names among ${enrichCatalogOf(catalog).fields.size} fields by everyday words, English or Spanish, misspelt too: name, unit, meaning, tool, price, filter operators, and whether this release can answer it. Free. Call it before naming fields.`,
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
        const columns = ctx.engine.parcelColumns();
        const isSearch = body.surface === 'filter' || body.surface === 'output';
        // A search takes what is stored of every parcel, which other tools calculate at one place.
        const isSearched = (name: string) =>
          judgeName(ctx.catalog, columns, name, body.surface === 'output' ? 'output' : 'filter').status === 'usable';
        const group = PLANS[accountOf(ctx).plan].parcelRecordCredits;
        // What cannot be answered comes last, however well its words fit.
        const fields = found.fields
          .map(({ title: _, parcel_record, ...field }) => {
            const isFetched = field.surfaces.includes('fetch');
            const isUnbuilt = ['filter', 'output'].some(one => field.surfaces.includes(one)) && !isSearched(field.name);
            const lack = availability.lackOf(field.name);
            const why_not = lack ?? (isSearch && isUnbuilt ? NOT_CALCULATED : null);
            return {
              ...field,
              // Without a surface it is told of each, and those of a search leave out what it does not take.
              ...(isUnbuilt && !isSearch
                ? { surfaces: field.surfaces.filter(one => one !== 'filter' && one !== 'output'), filter_operators: [] }
                : {}),
              // What a fetch of it costs at a place; the other tools ask nothing for it.
              ...(isFetched ? { fetch_credits: parcel_record ? group : FIELD_CREDITS } : {}),
              tool: isSearch
                ? 'service_search'
                : isFetched && !parcel_record
                  ? 'service_fetch'
                  : field.surfaces.includes('enrich')
                    ? 'service_enrich'
                    : 'service_search',
              available: why_not === null,
              ...(why_not === null ? {} : { why_not }),
            };
          })
          .sort((a, b) => Number(b.available) - Number(a.available));
        const lines = fields.map(
          ({ name, type, unit, description, surfaces, filter_operators: operators, why_not: lack }) =>
            `${name} (${unit ?? type}; ${surfaces.join(', ')}${operators.length > 0 ? `: ${operators.join(' ')}` : ''}): ${description}${lack === undefined ? '' : ` Not here: ${lack}.`}`,
        );
        const nearest =
          fields.length > 0
            ? []
            : nearestFields(ctx.catalog, body.query, new Set(enrichCatalogOf(ctx.catalog).fields.keys()));
        const none = `No field has these words: try others${nearest.length > 0 ? `; nearest names: ${nearest.join(', ')}` : ''}.`;
        const silent = (found.no_field_for ?? []).map(topic => `No field tells of ${topic}.`);
        return {
          structured: { ...found, fields, ...(nearest.length > 0 ? { nearest } : {}) },
          text: shortText(lines.length > 0 ? [...lines, ...silent] : [none]),
        };
      },
    }),
  ],
};
