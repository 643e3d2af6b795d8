import { hrefOf } from '../shell/address.ts';
import type { FieldRecord } from '../values/field-record.ts';
import { measureIn, unitsNow } from '../values/units.ts';
import { valueWords } from '../values/value-words.ts';
import { FLOOD_FIELDS, FLOOD_SHARE } from '../verdict/flood.ts';

/** What people ask of a parcel first; requested beside every preset. */
export const HEADER_FIELDS: readonly string[] = [
  ...['owner', 'acreage', 'landval', 'county_fips'],
  ...FLOOD_FIELDS,
  FLOOD_SHARE,
];

/** A parcel as its page names it. */
export interface NamedParcel {
  readonly apn: string | null;
  readonly address: string | null;
  readonly source: string;
  readonly match_type?: string;
  readonly match_distance_m?: number;
}

/** What the ground is worth by the roll, and an acre or hectare of it: what parcels of different sizes are compared by. */
function worthOf(landval: FieldRecord, acreage: FieldRecord | undefined): string {
  if (landval.status !== 'ok') return 'no data';
  const whole = valueWords(landval.value, landval.unit, 'landval');
  const [worth, acres] = [Number(landval.value), acreage?.status === 'ok' ? Number(acreage.value) : 0];
  if (!(acres > 0 && worth > 0)) return whole;
  const { value: size, unit } = measureIn(acres, 'acres', unitsNow(), false);
  return `${whole} (${valueWords(Number((worth / size).toPrecision(3)), `USD/${unit.replace(/s$/, '')}`)})`;
}

/** Number, owner, size and worth of a parcel. */
export function ParcelFacts({
  parcel: { apn, match_type: how, match_distance_m: metres = 0 },
  fields: { owner, acreage, landval },
}: {
  readonly parcel: NamedParcel;
  readonly fields: Readonly<Record<string, FieldRecord>>;
}) {
  const told = (name: string, record: FieldRecord) =>
    record.status === 'ok' ? valueWords(record.value, record.unit, name) : 'no data';
  return (
    <>
      <p class="note">
        Parcel {apn ?? 'without number'}
        {how !== undefined && how !== 'contains' && `, ${valueWords(metres, 'm', 'distance')} away`}
      </p>
      <dl class="facts">
        {owner && (
          <div>
            <dt>Owner</dt>
            <dd>{told('owner', owner)}</dd>
          </div>
        )}
        {acreage && (
          <div>
            <dt>Size</dt>
            <dd>{told('acreage', acreage)}</dd>
          </div>
        )}
        {landval && (
          <div>
            <dt>Land value</dt>
            <dd>{worthOf(landval, acreage)}</dd>
          </div>
        )}
      </dl>
    </>
  );
}

/** Name, number, owner, size and worth of a parcel, with links to what else can be asked about it. */
export function ParcelHeader({
  parcel,
  fields,
  state,
}: {
  readonly parcel: NamedParcel;
  readonly fields: Readonly<Record<string, FieldRecord>>;
  /** What links to other views keep. */
  readonly state: Readonly<Record<string, string>>;
}) {
  const { apn, address } = parcel;
  return (
    <div class="subject">
      <h2>{address ?? apn ?? 'A parcel without number'}</h2>
      <ParcelFacts parcel={parcel} fields={fields} />
      <p class="links">
        <a href={hrefOf({ view: 'place', state: { ...state, preset: 'flood_risk' } })} data-view="place">
          Flood risk here
        </a>
        <a href={hrefOf({ view: 'ask', state })} data-view="ask">
          Ask about it
        </a>
        <a href={hrefOf({ view: 'parcel', state: { ...state, report: 'yes' } })} data-view="parcel">
          Report to print
        </a>
      </p>
    </div>
  );
}
