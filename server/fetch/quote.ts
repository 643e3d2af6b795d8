import { accountOf, type Ctx, termsOf } from '../context.ts';
import { limiterOf, readAllowance, spendable } from '../credits/allowance.ts';
import { creditsOf, priceOf } from '../credits/price.ts';
import { FIELD_CREDITS } from '../plans.ts';
import type { QuoteBody, QuoteResult } from './quote-schema.ts';
import { selectFields } from './selection.ts';

/** Milliseconds that a quote waits until the parcels of a new release are counted. */
const COUNTING_MS = 2_000;

/**
 * POST /v1/fetch/quote: what fields would cost at a number of coordinates, and whether the month's credits suffice.
 * Free. The real run costs at most this, because failed fields are not charged. Notes say what the release cannot answer.
 * @param body already of the right shape.
 * @throws ServiceError no_fields_requested, fields_unknown, fields_too_many.
 */
export async function quoteFetch(ctx: Ctx, body: QuoteBody): Promise<QuoteResult> {
  const names = selectFields(ctx.catalog, body);
  const { locations = 1, preset = null } = body;
  const quote = await priced(ctx, { names, locations: locations ?? 1, preset });
  const { limited_by: limiter } = quote.allowance;
  const affordable = Math.floor(spendable(quote.allowance) / quote.credits_per_location);
  const notes = [
    ...quote.notes,
    `A location given as an address costs ${creditsOf('POST /v1/geocode')} credit more, unless it was resolved in the last 30 days.`,
    ...(await unanswerable(ctx, names)),
  ];
  if (limiter !== 'none')
    notes.push(
      affordable === 0
        ? 'The request would be refused with credits_exhausted.'
        : `A batch would answer ${affordable} of the ${quote.locations} locations; the others would be credits_exhausted entries.`,
    );
  return { ...quote, notes };
}

/** What is to be priced. */
interface Priced {
  /** Fields of the catalog. */
  readonly names: readonly string[];
  readonly locations: number;
  readonly preset: QuoteResult['preset'];
  /** Credits beside those of the fields. */
  readonly more?: number;
}

/** What fields cost at a number of places, and whether the month's credits suffice. Notes say how they are charged. */
export async function priced(ctx: Ctx, { names, locations, preset, more = 0 }: Priced): Promise<QuoteResult> {
  const { plan } = accountOf(ctx);
  const price = priceOf(ctx.catalog, plan, names);
  const total = price.total * locations + more;
  const allowance = await readAllowance(ctx);
  const limiter = limiterOf(allowance, total);
  const notes = ['Failed fields are not charged, so a run costs at most this; absent ones are.'];
  if (price.parcelFields > 0)
    notes.push(
      `The parcel-record group costs ${price.parcelCredits} credits a location on plan ${plan}, once for however many of its fields, and nothing where every one of them fails.`,
    );
  return {
    fields: [...names],
    field_count: names.length,
    preset,
    locations,
    plan,
    credits_per_location: price.total,
    credits_total: total,
    breakdown: {
      per_field: { fields: price.fields, credits_each: FIELD_CREDITS, credits: price.fieldCredits * locations },
      metered_groups: {
        parcel_record: {
          fields: price.parcelFields,
          credits: price.parcelCredits * locations,
          billed: price.parcelFields > 0,
        },
      },
    },
    allowance: {
      ...allowance,
      would_exceed_allowance: total > allowance.credits_remaining,
      would_be_blocked: limiter !== 'none',
      limited_by: limiter,
    },
    notes,
  };
}

/** Which of some fields this release cannot answer, and of which none of its parcels has a value. */
export async function unanswerable(ctx: Ctx, names: readonly string[]): Promise<string[]> {
  const { engine, deadline } = ctx;
  const availability = engine.availability();
  const terms = { ...termsOf(ctx), deadline: Math.min(deadline, Date.now() + COUNTING_MS) };
  const counts = await engine.parcelCounts(null, terms);
  const lacking = names.filter(name => availability.lackOf(name) !== null);
  const reasons = new Set(lacking.map(name => availability.lackOf(name)!));
  const why = reasons.size === 1 ? ` (${[...reasons][0]})` : '; GET /v1/meta/fields says of each why';
  const empty = names.filter(name => !lacking.includes(name) && counts?.values[name] === 0);
  return [
    ...(lacking.length ? [`This release cannot answer ${lacking.join(', ')}${why}.`] : []),
    ...(empty.length ? [`No parcel of this release has a value of ${empty.join(', ')}.`] : []),
  ];
}
