import { createHash } from 'node:crypto';
import { type Catalog, inputFields, walk } from '../../datasets/catalog.ts';
import { FIELD_LAYERS, type Field, type ScalarType } from '../../datasets/dataset.ts';
import type { SourceRef } from '../../datasets/expression.ts';
import type { EngineStatus } from '../../query/answer.ts';
import type { Ctx } from '../context.ts';
import { ENDPOINT_PRICES, FIELD_CREDITS, PLAN_NAMES, PLANS } from '../plans.ts';

/** Filter operators by type: text and booleans are compared for equality only. */
const FILTER_OPERATORS: Readonly<Record<ScalarType, readonly string[]>> = (() => {
  const equality = ['eq', 'ne', 'in'];
  const ordered = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'between'];
  return {
    string: equality,
    boolean: equality,
    number: ordered,
    integer: ordered,
    date: ordered,
    timestamp: ordered,
  };
})();

const byPlan = (credits: (plan: (typeof PLAN_NAMES)[number]) => number) =>
  Object.fromEntries(PLAN_NAMES.map(plan => [plan, credits(plan)]));

const BILLING = {
  default: { credits: byPlan(() => FIELD_CREDITS), charged: 'per field and location' },
  parcel_record: {
    credits: byPlan(plan => PLANS[plan].parcelRecordCredits),
    charged: 'once per location for the whole group',
  },
};

/** Every layer a field reads, directly or through its input fields, each once. */
function layersRead(catalog: Catalog, field: Field): SourceRef[] {
  const found = new Map<string, SourceRef>();
  const visit = (current: Field) => {
    walk(current.expression, call => {
      for (const source of call.sources) found.set(`${source.dataset}:${source.layer}`, source);
      if (call.op === 'parcel_attr' || call.options.over === 'parcel')
        found.set('parcel_store:main', { dataset: 'parcel_store', layer: 'main', where: null });
    });
    for (const name of inputFields(current.expression)) visit(catalog.fields.get(name)!);
  };
  visit(field);
  return [...found.values()];
}

function describe(catalog: Catalog, status: EngineStatus, field: Field) {
  const dataset = catalog.datasets.get(field.dataset)!;
  const layers = layersRead(catalog, field);
  const installed = layers.map(source => status.datasets[source.dataset]?.[source.layer]);
  const vintages = [...new Set(installed.flatMap(layer => layer?.vintages ?? []))];
  const group = catalog.parcelRecord.has(field.name) ? 'parcel_record' : 'default';
  return {
    name: field.name,
    layer: field.layer,
    type: field.type,
    unit: field.unit,
    title: field.title,
    description: field.description,
    hint: field.hint,
    dataset: field.dataset,
    datasets: [...new Set(layers.map(source => source.dataset))],
    publisher: dataset.publisher,
    licence: dataset.licence,
    source_url: dataset.url,
    vintage: vintages.length > 0 ? vintages.join('; ') : null,
    installed: installed.every(layer => layer !== undefined),
    operator: field.expression.text,
    ttl_seconds: field.ttlSeconds,
    presets: Object.keys(field.presets ?? {}),
    surfaces: ['fetch'],
    filter_operators: FILTER_OPERATORS[field.type],
    billing: { group, ...BILLING[group] },
  };
}

/** GET /v1/meta/fields: the catalog with prices and with what the open release holds of it. */
export function fieldCatalog(ctx: Ctx) {
  const { catalog } = ctx;
  const status = ctx.engine.status();
  const all = [...catalog.fields.values()];
  return {
    release: status.release,
    count: all.length,
    layers: FIELD_LAYERS.map(name => ({ name, count: all.filter(field => field.layer === name).length })),
    presets: [...catalog.presets].map(([name, fields]) => ({ name, fields: [...fields] })),
    price_list: {
      currency: 'credits',
      default: BILLING.default,
      groups: { parcel_record: { ...BILLING.parcel_record, fields: [...catalog.parcelRecord] } },
    },
    fields: all.map(field => describe(catalog, status, field)),
  };
}

/** The catalog as it is sent: its text and the strong entity tag over exactly those bytes. */
export interface CatalogDocument {
  readonly text: string;
  readonly etag: string;
}

/** Renders the catalog once a release: it changes with nothing else. */
export function createCatalogDocument(): (ctx: Ctx) => CatalogDocument {
  let release: string | null | undefined;
  let document: CatalogDocument;
  return ctx => {
    const current = ctx.engine.status().release;
    if (release !== current) {
      const text = JSON.stringify(fieldCatalog(ctx));
      document = { text, etag: `"${createHash('sha256').update(text).digest('base64url')}"` };
      release = current;
    }
    return document;
  };
}

/** GET /v1/meta/plans: what each plan includes and what each endpoint costs. */
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
