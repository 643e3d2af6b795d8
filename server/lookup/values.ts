import { stateOfFips } from '../../query/geocode/address/state.ts';
import type { Ctx } from '../context.ts';
import { ServiceError } from '../errors/registry.ts';
import { fetchAt } from '../fetch/location.ts';
import type { FieldRecord } from '../fetch/schema.ts';
import type { Place } from '../geocode/resolver.ts';
import { MARKET, VALUES } from './names.ts';

const FIELDS: readonly string[] = [...Object.values(VALUES), ...Object.values(MARKET)];

/** Census numbers, which change with each census. Older ones name other areas and are never reported. */
const OF_2020: ReadonlySet<string> = new Set(['tract_geoid', 'block_group_geoid', 'block_geoid']);

type Records = Readonly<Record<string, FieldRecord>>;
type Values<K extends string> = { [key in K]: unknown };

function valueIn(records: Records, field: string): unknown {
  const record = records[field];
  if (record?.status !== 'ok') return null;
  const vintage = record.dataset_vintage as string | null;
  const years = vintage?.match(/\b(?:19|20)\d\d\b/g)?.map(Number);
  if (OF_2020.has(field) && years && Math.max(...years) < 2020) return null;
  return record.value;
}

const pick = <K extends string>(records: Records, fields: Readonly<Record<K, string>>) =>
  Object.fromEntries(Object.entries<string>(fields).map(([key, field]) => [key, valueIn(records, field)])) as Values<K>;

/** The values of a lookup at a place. Null means no data or no answer, for each value by itself. */
export interface LookupValues extends Values<keyof typeof VALUES> {
  /** Two-letter code. */
  readonly state: string | null;
  readonly county_market: Values<keyof typeof MARKET>;
}

/**
 * Reads jurisdictions, hazards, market, zone and time zone at a place, through the fields of fetch. A lookup does not
 * fail when some or all of these values fail.
 * @throws ServiceError fetch_busy; AbortError when the client has gone.
 */
export async function valuesAt(ctx: Ctx, place: Place): Promise<LookupValues> {
  const names = FIELDS.filter(name => ctx.catalog.fields.has(name));
  const records: Records = await fetchAt(ctx, names, place).then(
    result => result.fields,
    (error: unknown) => {
      if (error instanceof ServiceError || ctx.signal.aborted) throw error;
      ctx.log.error({ err: error }, 'unhandled fault of the values of a lookup');
      return {};
    },
  );
  const values = pick(records, VALUES);
  const { state_fips } = values;
  const state = typeof state_fips === 'string' ? stateOfFips(state_fips) : null;
  return { ...values, state, county_market: pick(records, MARKET) };
}
