import type { Column, Value } from '../../datasets/dataset.ts';
import { layerWords } from '../../datasets/layer-words.ts';
import { memo } from '../../datasets/memo.ts';
import { OWNER_COLUMNS } from '../../datasets/parcel/owner-columns.ts';
import { PARCEL_ATTRIBUTES } from '../../datasets/parcel/parcel-attributes.ts';
import type { LayerVersion, Partition } from '../../datasets/release.ts';
import { acreNotes } from '../evaluate/assurance/disagreement.ts';
import { confidenceOf } from '../evaluate/confidence.ts';
import { absent, type Finding, found, notesOn } from '../evaluate/finding.ts';
import { PARCELS } from '../evaluate/parcel-at-point.ts';
import { overlayLayers } from '../evaluate/parcel-stand-in.ts';
import { lackingReason } from '../evaluate/unpublished.ts';
import { isWithheldRow } from '../format/flatgeobuf.ts';
import type { Layers } from '../release/layers.ts';
import { withheldReason } from '../release/withheld/withheld-rows.ts';
import type { BoundParcel } from './bound-parcel.ts';

/** What stands for a column's values in one partition under one confidence: findings that share all but the value. */
interface Shared {
  readonly ok: Finding;
  readonly empty: Finding;
  readonly withheld: Finding;
  /** Set when no parcel of the partition has a value. */
  readonly never: Finding | null;
}

/** What an attribute is read of: a row, the part that it belongs to, and how it was matched. */
interface AttributeRow {
  readonly partition: Partition;
  readonly feature: Pick<BoundParcel['feature'], 'properties'>;
  readonly match: Pick<BoundParcel['match'], 'type'>;
}

/** layer version → partition → how it was matched → column → what its findings share. */
const sharedBy = new WeakMap<LayerVersion, Map<Partition, Map<string, Map<string, Shared>>>>();

/** Whether a name is an attribute of parcels that the source of a part publishes: then its rows say it themselves. */
export const isPublished = ({ release }: Layers, part: Partition, name: string): boolean =>
  Object.hasOwn(PARCEL_ATTRIBUTES, name) &&
  !part.unpublished.includes(name) &&
  release.layer(PARCELS.dataset, PARCELS.layer)!.columns.includes(name);

/** Why an attribute that other layers tell was not computed either. */
function notComputed({ release }: Layers, name: string): string {
  const needed = overlayLayers(name);
  if (!needed.length) return '';
  const lacking = needed.filter(id => {
    const [dataset, layer] = id.split(':') as [string, string];
    return release.layer(dataset, layer) === null;
  });
  if (!lacking.length) return ', and it was not computed for this release';
  const words = lacking.map(id => {
    const [dataset, layer] = id.split(':') as [string, string];
    return layerWords({ dataset, layer });
  });
  return `, and what it would be computed from is not installed: ${words.join(' and ')}`;
}

/** What findings share in one partition under one kind of match, by column. */
function sharedOf(layers: Layers, { partition, match }: AttributeRow): Map<string, Shared> {
  const version = layers.version(PARCELS.dataset, PARCELS.layer);
  const ofVersion = sharedBy.get(version) ?? new Map<Partition, Map<string, Map<string, Shared>>>();
  sharedBy.set(version, ofVersion);
  const ofPartition = ofVersion.get(partition) ?? new Map<string, Map<string, Shared>>();
  ofVersion.set(partition, ofPartition);
  let shared = ofPartition.get(match.type);
  if (!shared) {
    const confidence = confidenceOf({ kind: 'parcel_match' }, { match: match.type });
    const absence = (reason: string, more?: readonly string[]) => absent(reason, confidence, [partition], more);
    const neverOf = (name: string) => {
      if (partition.unpublished.includes(name))
        return absence(`${lackingReason(partition, name)}${notComputed(layers, name)}`);
      return version.columns.includes(name) ? null : absence(`this release does not hold it (${name})`);
    };
    shared = new Map(
      Object.keys(PARCEL_ATTRIBUTES).map(name => [
        name,
        {
          ok: found(null, confidence, [partition], notesOn([partition], [name])),
          empty: absence(`the source leaves it empty for this parcel (${name})`, notesOn([partition], [name])),
          withheld: absence(withheldReason(name)),
          never: neverOf(name),
        },
      ]),
    );
    ofPartition.set(match.type, shared);
  }
  return shared;
}

const notedOf = memo((_ok: Finding) => new Map<string, Finding>());

/** A finding with further notes: the same object for the same notes. */
function withNotes(ok: Finding, notes: readonly string[]): Finding {
  const cached = notedOf(ok);
  const key = notes.join('\n');
  const finding = cached.get(key) ?? { ...ok, notes: [...notes, ...ok.notes] };
  cached.set(key, finding);
  return finding;
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
function keyed(name: string, { partition }: Pick<AttributeRow, 'partition'>): Value | undefined {
  const [state, county] = partition.key.split('/');
  return name === 'state2' ? state : name === 'geoid' ? county : undefined;
}

/**
 * The value of a stored attribute in a row; null where there is none.
 * @param name of PARCEL_ATTRIBUTES.
 */
export const attributeOf = (name: string, row: Omit<AttributeRow, 'match'>): Value =>
  answered(name, row.feature.properties[name]) ?? keyed(name, row) ?? null;

/**
 * Stored attributes of a parcel: ok, or absent with the reason (this copy of the source lacks it, leaves it empty, or this
 * release has no such column).
 */
export class StoredAttributes {
  readonly #parcel: AttributeRow;
  readonly #shared: ReadonlyMap<string, Shared>;

  constructor(layers: Layers, parcel: AttributeRow) {
    this.#parcel = parcel;
    this.#shared = sharedOf(layers, parcel);
  }

  /** The value of a name of PARCEL_ATTRIBUTES; null where there is none. */
  value(name: string): Value {
    return attributeOf(name, this.#parcel);
  }

  /** The finding of a value or of its absence, apart from the value: one object for all of one reason. */
  shared(name: string, value: Value): Finding {
    const { ok, empty, withheld, never } = this.#shared.get(name)!;
    const { feature, partition } = this.#parcel;
    if (value === null) {
      const isWithheld = OWNER_COLUMNS.has(name) && isWithheldRow(feature.properties);
      return never ?? (isWithheld ? withheld : empty);
    }
    const notes = acreNotes(name, feature.properties, partition);
    return notes.length ? withNotes(ok, notes) : ok;
  }
}
