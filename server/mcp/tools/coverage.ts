import { Type } from 'typebox';
import { hasCounty } from '../../../datasets/codes/county-fips.ts';
import { STATE_FIPS } from '../../../datasets/codes/state-fips.ts';
import { enrichCatalogOf } from '../../../datasets/enrich/enrich.ts';
import { COLUMN, lackIn } from '../../../datasets/lack-words.ts';
import { reaches } from '../../../query/release/installed.ts';
import type { Ctx } from '../../context.ts';
import { fetchAt } from '../../fetch/location.ts';
import { resolveLocator } from '../../geocode/resolver.ts';
import { ShapeError } from '../../http/shape.ts';
import { readLocator } from '../../locator.ts';
import { holdingsOf } from '../holdings.ts';
import { shortText } from '../text.ts';
import { form, type Tool } from '../tool.ts';

const LIMIT_MS = 30_000;

const CoverageBody = Type.Object(
  {
    lat: Type.Optional(Type.Number()),
    lng: Type.Optional(Type.Number()),
    address: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
    county: Type.Optional(Type.String({ pattern: '^\\d{5}$', description: 'FIPS code, instead of a place.' })),
  },
  { additionalProperties: false },
);

/** The five digits of the county that a place lies in; null where nobody tells. */
async function countyAt(ctx: Ctx, body: Parameters<typeof readLocator>[0]): Promise<string | null> {
  const place = await resolveLocator(ctx, readLocator(body));
  if (!ctx.catalog.fields.has('county_fips')) return null;
  const { fields } = await fetchAt(ctx, ['county_fips'], place);
  const value = fields.county_fips?.value;
  return typeof value === 'string' ? value : null;
}

const STATES: ReadonlyMap<string, string> = new Map(Object.entries(STATE_FIPS).map(([state, fips]) => [fips, state]));

/** Whether a county has these five digits. */
const isCounty = (fips: string): boolean => hasCounty(STATES.get(fips.slice(0, 2)) ?? '', fips.slice(2));

const noSuchCounty = () =>
  new ShapeError([
    { loc: ['body', 'county'], msg: 'No county has this FIPS code', type: 'value_error', input: null, ctx: {} },
  ]);

/** A reason without the column that a copy lacks, so that all columns of a copy have one. */
function sharedReason(reason: string | null): string | null {
  const lack = reason === null ? null : lackIn(reason);
  return lack?.of === 'copy' && COLUMN.test(lack.part) ? `this copy (${lack.source}) lacks their columns` : reason;
}

/** Names that cannot be answered, by why: each reason once. */
function lacking({ engine, catalog }: Ctx, county: string | null) {
  const availability = engine.availability(county);
  const names = [...new Set([...catalog.fields.keys(), ...enrichCatalogOf(catalog).fields.keys()])];
  const reasons = Map.groupBy(names, name => sharedReason(availability.lackOf(name)));
  const answered = reasons.get(null)?.length ?? 0;
  reasons.delete(null);
  return {
    answered,
    of: names.length,
    groups: [...reasons].map(([reason, fields]) => ({ reason, fields: fields.join(' ') })),
  };
}

/** The fields that the open release can answer at a place, and those that it cannot, with the reasons. */
export const coverageTool: Tool = {
  name: 'coverage',
  title: 'What can be answered at a place',
  remark: 'what the release can answer at a place, and why not the rest',
  description: () =>
    'What this release has at a place or in a county (without either: in all): parcels, drives, layers with their vintage, and every field that it cannot answer there, by reason. Free.',
  when: 'Whether a place is covered, and what cannot be answered there: {tool}.',
  readOnly: true,
  forms: [
    form({
      schema: CoverageBody,
      route: null,
      limitMs: LIMIT_MS,
      async answer({ ctx, services }, { county: named, ...place }) {
        const isPlace = Object.values(place).some(value => value !== undefined);
        const county = isPlace ? await countyAt(ctx, place) : (named ?? null);
        if (county !== null && !isCounty(county)) throw noSuchCounty();
        const counties = [...new Set(ctx.engine.installed().flatMap(source => source.county ?? []))].sort();
        if (isPlace && county === null) {
          const note = 'No county of this release covers the place.';
          return {
            structured: { release: ctx.engine.status().release, county, note, counties },
            text: shortText([note]),
          };
        }
        const sources = ctx.engine.installed().filter(source => county === null || reaches(source, county));
        const parcels = sources.filter(({ dataset }) => dataset === 'parcel_store');
        const { answered, of, groups } = lacking(ctx, county);
        const { roads, owners, lackingSets } = holdingsOf(ctx.engine, services.proximity.routing);
        const datasets = Map.groupBy(sources, ({ dataset }) => dataset);
        return {
          structured: {
            release: ctx.engine.status().release,
            county,
            ...(county === null ? { counties } : {}),
            // As a count of sets counts them.
            parcels: parcels.reduce((sum, { rows }) => sum + rows, 0),
            parcels_of_roads_and_water: parcels.reduce((sum, { ground }) => sum + ground, 0),
            ...(parcels.length > 0 && !owners ? { owners: 'no file of parcels publishes them' } : {}),
            drives: roads,
            sets_lacking: lackingSets,
            fields: { answered, of },
            datasets: [...datasets].map(([dataset, all]) =>
              `${dataset} ${[...new Set(all.map(({ vintage }) => vintage))].slice(0, 3).join(', ')}`.trim(),
            ),
            lacking: groups,
          },
          text: shortText([
            `${answered} of ${of} fields can be answered; parcels: ${parcels.length > 0 ? 'yes' : 'no'}.`,
          ]),
        };
      },
    }),
  ],
};
