import type { Catalog } from '../../datasets/catalog.ts';
import { closedListOf } from '../../datasets/closed-list.ts';
import { FIELD_LAYERS, type Field } from '../../datasets/dataset.ts';
import { enrichCatalogOf } from '../../datasets/enrich/enrich.ts';
import type { Engine } from '../../query/engine/engine-interface.ts';
import { layersRead } from '../../query/evaluate/version.ts';
import type { ParcelCounts } from '../../query/parcel/parcel-counts.ts';
import { type InstalledSource, reaches } from '../../query/release/installed.ts';
import { filterNames, outputNames } from '../../query/search/request/surface.ts';
import { type Ctx, termsOf } from '../context.ts';
import { JSON_TYPE, type SharedAnswer, sharedAnswer, tagOf } from '../http/shared-answer.ts';
import { PRICES } from '../operations/prices.ts';
import { FIELD_CREDITS, PLAN_NAMES, PLANS } from '../plans.ts';
import { OPERATORS } from '../search/operand.ts';
import { calculationsOf } from './calculations.ts';
import { furtherNames, type Surfaces, surfacesOf } from './surface.ts';
import { verdictTold } from './verdict.ts';

const byPlan = (credits: (plan: (typeof PLAN_NAMES)[number]) => number) =>
  Object.fromEntries(PLAN_NAMES.map(plan => [plan, credits(plan)]));

const BILLING = {
  default: { credits: byPlan(() => FIELD_CREDITS), charged: 'per field and location' },
  parcel_record: {
    credits: byPlan(plan => PLANS[plan].parcelRecordCredits),
    charged: 'once per location for the whole group',
  },
};

/** Most products listed for a field, and most places of each. GET /v1/meta/coverage lists all. */
const MOST_PRODUCTS = 20;
const MOST_PLACES = 20;

/** The products that the open release has for some layers, each once with its places. */
function productsOf(sources: ReadonlyMap<string, readonly InstalledSource[]>, layers: readonly string[]) {
  const products = new Map<string, InstalledSource[]>();
  for (const source of layers.flatMap(name => sources.get(name) ?? [])) {
    const { dataset, layer, publisher, vintage, coverage, note } = source;
    const key = JSON.stringify([dataset, layer, publisher, source.source, vintage, coverage, note]);
    const own = products.get(key) ?? [];
    products.set(key, own);
    own.push(source);
  }
  return [...products.values()].slice(0, MOST_PRODUCTS).map(([first, ...more]) => {
    const { dataset, layer, source, publisher, vintage, coverage, note } = first!;
    const places = [...new Set([first!, ...more].map(({ place }) => place))];
    return {
      ...{ layer: `${dataset}:${layer}`, source, publisher, vintage, coverage, note },
      places: places.slice(0, MOST_PLACES),
      place_count: places.length,
    };
  });
}

/** Which part of the catalog is asked for. */
export interface FieldsQuery {
  /** Five digits: what is told of the release is told of this county. */
  readonly county_fips?: string;
  /** `true`: only names that have a value there. */
  readonly available?: 'true' | 'false';
}

/** What is known of the open release, where it is asked about. */
interface Held {
  readonly availability: ReturnType<Engine['availability']>;
  readonly counts: ParcelCounts | null;
  /** `dataset:layer` → its sources. */
  readonly sources: ReadonlyMap<string, readonly InstalledSource[]>;
}

const joined = (texts: readonly string[]) => [...new Set(texts)].slice(0, MOST_PRODUCTS).join('; ');

/** What the open release has for a name: whether it is answered, from whom, and of how many parcels. */
function heldFor({ availability, counts }: Held, name: string) {
  const lack = availability.lackOf(name);
  const sources = lack === null ? availability.sourcesOf(name) : [];
  const count = counts?.values[name];
  const share = counts?.parcels && count !== undefined ? Number((count / counts.parcels).toFixed(4)) : null;
  return {
    installed: lack === null,
    why_not: lack ?? (share === 0 ? counts!.reasons[name] || 'no parcel has a value' : null),
    source: sources.length ? joined(sources.map(({ source }) => source)) : null,
    vintage: sources.length ? joined(sources.map(({ vintage }) => vintage)) : null,
    parcel_share: lack === null ? share : 0,
    sources,
  };
}

const isAvailable = ({
  installed,
  parcel_share,
}: {
  readonly installed: boolean;
  readonly parcel_share: number | null;
}) => installed && parcel_share !== 0;

function describe(catalog: Catalog, held: Held, surfaces: Surfaces, field: Field) {
  const dataset = catalog.datasets.get(field.dataset)!;
  const read = layersRead(catalog, field.name);
  const group = catalog.parcelRecord.has(field.name) ? 'parcel_record' : 'default';
  const { installed, why_not, source, vintage, parcel_share, sources } = heldFor(held, field.name);
  return {
    name: field.name,
    layer: field.layer,
    type: field.type,
    unit: field.unit,
    precision: field.precision,
    title: field.title,
    description: field.description,
    hint: field.hint,
    terms: field.terms,
    dataset: field.dataset,
    datasets: [...new Set(read.map(id => id.split(':')[0]!))],
    publisher: joined(sources.map(from => from.publisher)) || dataset.publisher,
    licence: joined(sources.map(from => from.licence)) || dataset.licence,
    source_url: sources.length ? sources[0]!.url : dataset.url,
    ...{ source, vintage, installed, why_not, parcel_share },
    in_release: productsOf(held.sources, read),
    operator: field.expression.text,
    ttl_seconds: field.ttlSeconds,
    presets: Object.keys(field.presets ?? {}),
    enrich_presets: [...enrichCatalogOf(catalog).presets]
      .filter(([, names]) => names.includes(field.name))
      .map(([preset]) => preset),
    surfaces: surfacesOf(surfaces, field.name),
    filter_operators: surfaces.filter.has(field.name) ? OPERATORS[field.type] : [],
    enum_values: closedListOf(catalog, field),
    verdict: verdictTold(field.verdict),
    billing: { group, ...BILLING[group] },
  };
}

/**
 * GET /v1/meta/fields: the catalog with prices and with the data that the open release holds for it. Parcels are counted once a
 * release: what is not counted by the deadline is null.
 */
export async function fieldCatalog(ctx: Ctx, { county_fips, available }: FieldsQuery = {}) {
  const { catalog, engine } = ctx;
  const county = county_fips ?? null;
  const counts = await engine.parcelCounts(county, termsOf(ctx));
  const installed = engine.installed();
  const held: Held = {
    availability: engine.availability(county),
    counts,
    sources: Map.groupBy(
      county === null ? installed : installed.filter(source => reaches(source, county)),
      ({ dataset, layer }) => `${dataset}:${layer}`,
    ),
  };
  const all = [...catalog.fields.values()];
  const enrich = enrichCatalogOf(catalog);
  const surfaces: Surfaces = {
    fetch: new Set(catalog.fields.keys()),
    enrich: new Set(enrich.fields.keys()),
    filter: filterNames(catalog),
    output: outputNames(catalog),
  };
  const wanted = available === 'true' ? isAvailable : () => true;
  return {
    release: engine.status().release,
    county_fips: county,
    parcels: counts?.parcels ?? null,
    calculations: calculationsOf(catalog, engine),
    count: all.length,
    counts: {
      fetch: surfaces.fetch.size,
      enrich: surfaces.enrich.size,
      filter: surfaces.filter.size,
      output: surfaces.output.size,
    },
    layers: FIELD_LAYERS.map(name => ({ name, count: all.filter(field => field.layer === name).length })),
    presets: [...catalog.presets].map(([name, fields]) => ({ name, fields: [...fields] })),
    enrich_presets: [...enrich.presets].map(([name, fields]) => ({ name, fields: [...fields] })),
    price_list: {
      currency: 'credits',
      default: BILLING.default,
      groups: { parcel_record: { ...BILLING.parcel_record, fields: [...catalog.parcelRecord] } },
    },
    fields: all.map(field => describe(catalog, held, surfaces, field)).filter(wanted),
    further_names: furtherNames(catalog, surfaces)
      .map(name => {
        const { sources: _, ...told } = heldFor(held, name.name);
        return { ...name, ...told };
      })
      .filter(wanted),
  };
}

/** Documents kept at most: whoever asks names counties. */
const MOST_DOCUMENTS = 16;

/**
 * Makes a function that renders the catalog once for each release and query, and again while its parcels are calculated, a shard of its manifest is damaged or
 * its parcels are not counted. The entity tag is strong: a digest of its bytes.
 */
export function createCatalogDocument(): (ctx: Ctx, query?: FieldsQuery) => Promise<SharedAnswer> {
  let release: string | null | undefined;
  let sources: readonly InstalledSource[];
  let documents = new Map<string, SharedAnswer>();
  return async (ctx, query = {}) => {
    const current = ctx.engine.status().release;
    const held = ctx.engine.installed();
    if (release !== current || sources !== held || documents.size >= MOST_DOCUMENTS) documents = new Map();
    release = current;
    sources = held;
    // While parcels are calculated the document says how far they are.
    const progress = ctx.engine.overlayProgress();
    const key = `${query.county_fips} ${query.available === 'true'} ${progress?.done ?? ''}`;
    const document = documents.get(key);
    if (document) return document;
    const mine = documents;
    const catalog = await fieldCatalog(ctx, query);
    const text = JSON.stringify(catalog);
    const answer = sharedAnswer(text, JSON_TYPE, tagOf(text));
    // Another release may have become current meanwhile.
    if (catalog.parcels !== null && catalog.release === current) mine.set(key, answer);
    return answer;
  };
}

/** GET /v1/meta/plans: the contents of each plan and the price of each endpoint. */
export function planCatalog() {
  return {
    plans: PLAN_NAMES.map(plan => ({
      plan,
      credits_included: PLANS[plan].creditsPerMonth,
      requests_per_minute: PLANS[plan].requestsPerMinute,
      parcel_record_credits: PLANS[plan].parcelRecordCredits,
    })),
    prices: PRICES.map(price => ({ ...price })),
    resets: 'on the 1st of each month, 00:00 UTC',
  };
}
