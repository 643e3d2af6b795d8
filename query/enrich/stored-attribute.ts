import type { Column, Value } from '../../datasets/dataset.ts';
import { PARCEL_ATTRIBUTES } from '../../datasets/parcel-attributes.ts';
import type { Partition } from '../../datasets/release.ts';
import { confidenceOf } from '../confidence.ts';
import { absent, type Finding, found } from '../finding.ts';
import type { Layers } from '../layer.ts';
import { PARCELS } from '../parcel.ts';
import { unpublishedReason } from '../vector.ts';
import type { BoundParcel } from './bound-parcel.ts';

/** What stands for a column's values in one partition under one confidence: findings that share all but the value. */
interface Shared {
  readonly ok: Finding;
  readonly empty: Finding;
  /** Set when no parcel of the partition has a value. */
  readonly never: Finding | null;
}

/** partition → confidence and column → what its findings share. */
const made = new WeakMap<Partition, Map<string, Shared>>();

function columnOf(layers: Layers, { partition, match }: BoundParcel, name: string): Shared {
  let ofPartition = made.get(partition);
  if (!ofPartition) {
    ofPartition = new Map();
    made.set(partition, ofPartition);
  }
  const key = `${match.type} ${name}`;
  let column = ofPartition.get(key);
  if (!column) {
    const confidence = confidenceOf({ kind: 'parcel_match' }, { match: match.type });
    const never = partition.unpublished.includes(name)
      ? unpublishedReason(partition, name)
      : layers.version(PARCELS.dataset, PARCELS.layer).columns.includes(name)
        ? null
        : `this release holds no ${name} of parcels`;
    column = {
      ok: found(null, confidence, [partition]),
      empty: absent(`${partition.provenance.source} leaves ${name} empty for this parcel`, confidence, [partition]),
      never: never === null ? null : absent(never, confidence, [partition]),
    };
    ofPartition.set(key, column);
  }
  return column;
}

const typeOf = (name: string): Column['type'] => (PARCEL_ATTRIBUTES as Readonly<Record<string, Column>>)[name]!.type;

/** A stored value as it is answered: dates as YYYY-MM-DD, timestamps UTC to the millisecond. */
function answered(name: string, value: Value | undefined): Value {
  if (value === null || value === undefined || value === '') return null;
  const type = typeOf(name);
  if (type === 'date') return String(value).slice(0, 10);
  if (type === 'timestamp') return new Date(Date.parse(String(value))).toISOString();
  return value;
}

/** The parts of the partition's key, which a row may lack: every parcel has a state and a county. */
function keyed(name: string, { partition }: BoundParcel): Value | undefined {
  const [state, county] = partition.key.split('/');
  return name === 'state2' ? state : name === 'geoid' ? county : undefined;
}

/**
 * A stored attribute of a parcel: ok, or absent with the reason (the source does not publish it, leaves it empty, or
 * this release has no such column). Findings of one reason share their notes.
 * @param name of PARCEL_ATTRIBUTES.
 */
export function storedAttribute(layers: Layers, parcel: BoundParcel, name: string): Finding {
  const value = answered(name, parcel.feature.properties[name]) ?? keyed(name, parcel) ?? null;
  const column = columnOf(layers, parcel, name);
  if (value !== null) return { ...column.ok, value };
  return column.never ?? column.empty;
}
