import type { Catalog } from '../../datasets/catalog.ts';
import { ENDPOINT_PRICES, FIELD_CREDITS, PLANS, type Plan } from '../plans.ts';

/** The price of fields at one location, by the way they are charged. */
interface Price {
  /** Fields charged one by one. */
  readonly fields: number;
  readonly fieldCredits: number;
  /** Fields of the parcel-record group. */
  readonly parcelFields: number;
  /** Credits of the group, charged once; 0 without any of its fields. */
  readonly parcelCredits: number;
  readonly total: number;
}

/**
 * The price of fields at one location: every field outside the parcel-record group, and the group once.
 * @param names of the catalog, each once.
 */
export function priceOf(catalog: Pick<Catalog, 'parcelRecord'>, plan: Plan, names: readonly string[]): Price {
  const parcelFields = names.filter(name => catalog.parcelRecord.has(name)).length;
  const fields = names.length - parcelFields;
  const fieldCredits = fields * FIELD_CREDITS;
  const parcelCredits = parcelFields > 0 ? PLANS[plan].parcelRecordCredits : 0;
  return { fields, fieldCredits, parcelFields, parcelCredits, total: fieldCredits + parcelCredits };
}

type CallPrice = Extract<(typeof ENDPOINT_PRICES)[number], { readonly credits: number }>;

/** Credits of one call of an endpoint that has one price. */
export function creditsOf(endpoint: CallPrice['endpoint']): number {
  return ENDPOINT_PRICES.find(price => price.endpoint === endpoint)!.credits!;
}

/** The names that are charged: all that did not fail. An absent value is an answer and costs as much as any other. */
export function billed(records: Readonly<Record<string, { readonly status: string }>>): string[] {
  return Object.keys(records).filter(name => records[name]!.status !== 'failed');
}
