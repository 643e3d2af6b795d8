import { hrefOf } from '../shell/address.ts';
import type { FieldRecord } from '../values/record-list.tsx';
import { valueText } from '../values/value-text.ts';

/** What people ask of a parcel first; requested beside every preset. */
export const HEADER_FIELDS = ['owner', 'acreage', 'parcel_fema_flood_zone', 'fema_flood_zone'] as const;

/** A parcel as its page names it. */
export interface NamedParcel {
  readonly apn: string | null;
  readonly address: string | null;
  readonly source: string;
  readonly match_type?: string;
  readonly match_distance_m?: number;
}

/** Name, number, owner, size and flood zone of a parcel, with links to what else can be asked about it. */
export function ParcelHeader({
  parcel: { apn, address, source, match_type: how, match_distance_m: metres = 0 },
  fields,
  state,
}: {
  readonly parcel: NamedParcel;
  readonly fields: Readonly<Record<string, FieldRecord>>;
  /** What links to other views keep. */
  readonly state: Readonly<Record<string, string>>;
}) {
  const { owner, acreage, parcel_fema_flood_zone: ofMost, fema_flood_zone: atPoint } = fields;
  const facts: readonly (readonly [string, FieldRecord | undefined])[] = [
    ['Owner', owner],
    ['Size', acreage],
    // The zone of most of the parcel, where its calculations are made.
    ['Flood zone', ofMost?.status === 'ok' ? ofMost : atPoint],
  ];
  return (
    <div class="subject">
      <h2>{address ?? apn ?? 'A parcel without number'}</h2>
      <p class="note">
        Parcel {apn ?? 'without number'} · {source}
        {how !== undefined && how !== 'contains' && ` · ${metres.toFixed(1)} m away`}
      </p>
      <dl class="facts">
        {facts.map(([name, record]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{record?.status === 'ok' ? valueText(record.value, record.unit) : 'no data'}</dd>
          </div>
        ))}
      </dl>
      <p class="links">
        <a href={hrefOf({ view: 'place', state: { ...state, preset: 'flood_risk' } })} data-view="place">
          Flood risk here
        </a>
        <a href={hrefOf({ view: 'ask', state })} data-view="ask">
          Ask about it
        </a>
      </p>
    </div>
  );
}
