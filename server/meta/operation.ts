import { createHash } from 'node:crypto';
import type { Catalog } from '../../datasets/catalog.ts';
import { closedListOf } from '../../datasets/closed-list.ts';
import { FIELD_LAYERS, type Field } from '../../datasets/dataset.ts';
import { enrichCatalogOf } from '../../datasets/enrich/enrich.ts';
import type { EngineStatus } from '../../query/engine/engine-interface.ts';
import { layersRead } from '../../query/evaluate/version.ts';
import type { InstalledSource } from '../../query/release/installed.ts';
import { filterNames, outputNames } from '../../query/search/request/surface.ts';
import type { Ctx } from '../context.ts';
import { JSON_TYPE, type SharedAnswer, sharedAnswer } from '../http/shared-answer.ts';
import { ENDPOINT_PRICES, FIELD_CREDITS, PLAN_NAMES, PLANS } from '../plans.ts';
import { OPERATORS } from '../search/operand.ts';
import { furtherNames, type Surfaces, surfacesOf } from './surface.ts';

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
function heldOf(sources: ReadonlyMap<string, readonly InstalledSource[]>, layers: readonly string[]) {
  const products = new Map<string, InstalledSource[]>();
  for (const source of layers.flatMap(name => sources.get(name) ?? [])) {
    const { dataset, layer, publisher, vintage, coverage } = source;
    const key = JSON.stringify([dataset, layer, publisher, source.source, vintage, coverage]);
    const own = products.get(key) ?? [];
    products.set(key, own);
    own.push(source);
  }
  return [...products.values()].slice(0, MOST_PRODUCTS).map(([first, ...more]) => {
    const { dataset, layer, source, publisher, vintage, coverage } = first!;
    const places = [...new Set([first!, ...more].map(({ place }) => place))];
    return {
      ...{ layer: `${dataset}:${layer}`, source, publisher, vintage, coverage },
      places: places.slice(0, MOST_PLACES),
      place_count: places.length,
    };
  });
}

function describe(
  catalog: Catalog,
  status: EngineStatus,
  sources: ReadonlyMap<string, readonly InstalledSource[]>,
  surfaces: Surfaces,
  field: Field,
) {
  const dataset = catalog.datasets.get(field.dataset)!;
  const layers = layersRead(catalog, field.name).map(id => id.split(':') as [string, string]);
  const installed = layers.map(([id, layer]) => status.datasets[id]?.[layer]);
  const vintages = [...new Set(installed.flatMap(layer => layer?.vintages ?? []))];
  const group = catalog.parcelRecord.has(field.name) ? 'parcel_record' : 'default';
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
    datasets: [...new Set(layers.map(([id]) => id))],
    publisher: dataset.publisher,
    licence: dataset.licence,
    source_url: dataset.url,
    vintage: vintages.length > 0 ? vintages.join('; ') : null,
    installed: installed.every(layer => layer !== undefined),
    in_release: heldOf(sources, layersRead(catalog, field.name)),
    operator: field.expression.text,
    ttl_seconds: field.ttlSeconds,
    presets: Object.keys(field.presets ?? {}),
    enrich_presets: [...enrichCatalogOf(catalog).presets]
      .filter(([, names]) => names.includes(field.name))
      .map(([preset]) => preset),
    surfaces: surfacesOf(surfaces, field.name),
    filter_operators: surfaces.filter.has(field.name) ? OPERATORS[field.type] : [],
    enum_values: closedListOf(catalog, field),
    billing: { group, ...BILLING[group] },
  };
}

/** GET /v1/meta/fields: the catalog with prices and with the data that the open release holds for it. */
export function fieldCatalog(ctx: Ctx) {
  const { catalog } = ctx;
  const status = ctx.engine.status();
  const sources = Map.groupBy(ctx.engine.installed(), ({ dataset, layer }) => `${dataset}:${layer}`);
  const all = [...catalog.fields.values()];
  const enrich = enrichCatalogOf(catalog);
  const surfaces: Surfaces = {
    fetch: new Set(catalog.fields.keys()),
    enrich: new Set(enrich.fields.keys()),
    filter: filterNames(catalog),
    output: outputNames(catalog),
  };
  return {
    release: status.release,
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
    fields: all.map(field => describe(catalog, status, sources, surfaces, field)),
    further_names: furtherNames(catalog, surfaces),
  };
}

/** Makes a function that renders the catalog once for each release, and again while a shard of its manifest is damaged. The entity tag is strong: a digest of its bytes. */
export function createCatalogDocument(): (ctx: Ctx) => SharedAnswer {
  let release: string | null | undefined;
  let sources: readonly InstalledSource[];
  let document: SharedAnswer;
  return ctx => {
    const current = ctx.engine.status().release;
    const held = ctx.engine.installed();
    if (release !== current || sources !== held) {
      const text = JSON.stringify(fieldCatalog(ctx));
      document = sharedAnswer(text, JSON_TYPE, `"${createHash('sha256').update(text).digest('base64url')}"`);
      release = current;
      sources = held;
    }
    return document;
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
    prices: ENDPOINT_PRICES.map(price => ({ ...price })),
    resets: 'on the 1st of each month, 00:00 UTC',
  };
}
