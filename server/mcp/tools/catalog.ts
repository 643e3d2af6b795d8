import { type Static, Type } from 'typebox';
import type { Catalog } from '../../../datasets/catalog.ts';
import { enrichCatalogOf } from '../../../datasets/enrich/enrich.ts';
import { filterNames, outputNames } from '../../../query/search/request/surface.ts';
import { rankEnrichment, rankFields } from '../../ask/retrieval/retrieval.ts';
import { SURFACES, type Surfaces, surfacesOf } from '../../meta/surface.ts';
import { OPERATORS } from '../../search/operand.ts';
import { shortText } from '../text.ts';
import { form, type Tool } from '../tool.ts';

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
type CatalogBody = Static<typeof CatalogBody>;

/** The facts about a name that an agent needs. */
interface FoundField {
  readonly name: string;
  readonly title: string;
  readonly type: string;
  readonly unit: string | null;
  readonly description: string;
  readonly surfaces: readonly string[];
  readonly filter_operators: readonly string[];
  /** Whether it belongs to the parcel-record group, which costs more in a fetch. */
  readonly parcel_record: boolean;
}

/** Finds names by words, best match first. */
function findFields(catalog: Catalog, { query, surface, limit = DEFAULT_LIMIT }: CatalogBody) {
  const enrich = enrichCatalogOf(catalog);
  const surfaces: Surfaces = {
    fetch: new Set(catalog.fields.keys()),
    enrich: new Set(enrich.fields.keys()),
    filter: filterNames(catalog),
    output: outputNames(catalog),
  };
  const ranked =
    surface === 'fetch' ? rankFields(catalog, query, catalog.fields.size) : rankEnrichment(catalog, query, 1_000);
  const fields: FoundField[] = [];
  for (const { name } of ranked) {
    const accepted = surfacesOf(surfaces, name);
    if (surface && !accepted.includes(surface)) continue;
    const field = catalog.fields.get(name) ?? enrich.fields.get(name)!;
    const { type, unit, description } = field;
    fields.push({
      name,
      title: catalog.fields.get(name)?.title ?? name.replaceAll('_', ' '),
      type,
      unit: unit ?? null,
      description,
      surfaces: accepted,
      filter_operators: accepted.includes('filter') && type !== 'array' && type !== 'object' ? OPERATORS[type] : [],
      parcel_record: catalog.parcelRecord.has(name),
    });
    if (fields.length === limit) break;
  }
  const names = new Set(fields.map(({ name }) => name));
  const presets = (all: Iterable<readonly [string, readonly string[]]>) =>
    [...all].filter(([, members]) => members.some(member => names.has(member))).map(([preset]) => preset);
  return { fields, fetch_presets: presets(catalog.presets), enrich_presets: presets(enrich.presets) };
}

/** Finds names by words, so that agents need not read the whole catalog. */
export const catalogTool: Tool = {
  name: 'catalog',
  title: 'Find fields by words',
  description: catalog =>
    `Finds names among ${enrichCatalogOf(catalog).fields.size} fields by everyday words, English or Spanish, misspelt too: name, unit, meaning, where it is accepted and which filter operators it takes. Free. Call it before naming fields.`,
  readOnly: true,
  forms: [
    form({
      schema: CatalogBody,
      route: null,
      limitMs: LIMIT_MS,
      async answer({ ctx }, body) {
        const found = findFields(ctx.catalog, body);
        const lines = found.fields.map(
          ({ name, type, unit, description, surfaces, filter_operators: operators }) =>
            `${name} (${unit ?? type}; ${surfaces.join(', ')}${operators.length > 0 ? `: ${operators.join(' ')}` : ''}): ${description}`,
        );
        return {
          structured: found,
          text: lines.length > 0 ? shortText(lines) : 'No field has these words: try others.',
        };
      },
    }),
  ],
};
