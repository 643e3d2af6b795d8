import type { Column } from '../datasets/dataset.ts';
import { PARCEL_ATTRIBUTES, type ParcelAttributeName } from '../datasets/parcel/parcel-attributes.ts';
import { PARCEL_OVERLAYS } from '../datasets/parcel/parcel-overlays.ts';
import type { Place } from '../datasets/place/place.ts';
import { places } from '../datasets/places.ts';
import { overlayLayers } from '../query/evaluate/parcel-stand-in.ts';

/** How a place fills an attribute, or why it does not. */
export interface Fill {
  readonly by: 'source' | 'source, in part' | 'ingest' | 'overlay' | null;
  /** Why it is absent; null where it is filled. */
  readonly absent: string | null;
}

/** Whether a layer says when it was observed, as attributes of its date need. */
function isDated({ layers }: Place, name: string): boolean {
  const year = /\b(?:19|20)\d\d\b/;
  return overlayLayers(name).every(id =>
    layers.some(l => `${l.dataset}:${l.layer}` === id && year.test(l.provenance.vintage)),
  );
}

/** How a place fills an attribute: from a column of its source, when it is ingested, from its other layers, or not. */
export function fillOf(place: Place, name: ParcelAttributeName): Fill {
  const filled = (by: Fill['by']): Fill => ({ by, absent: null });
  const parcels = place.layers.filter(layer => layer.dataset === 'parcel_store');
  const published = parcels.filter(layer => Object.hasOwn(layer.columns, name)).length;
  if (published) return filled(published === parcels.length ? 'source' : 'source, in part');
  if ((PARCEL_ATTRIBUTES[name] as Column).computed) return filled('ingest');
  const overlay = PARCEL_OVERLAYS[name];
  if (!overlay) return { by: null, absent: 'not published' };
  const held = new Set(place.layers.map(layer => `${layer.dataset}:${layer.layer}`));
  const lacking = overlayLayers(name).filter(layer => !held.has(layer));
  if (lacking.length) return { by: null, absent: `needs ${lacking.join(', ')}` };
  if (overlay.expression.includes('stat=vintage') && !isDated(place, name))
    return { by: null, absent: 'its layer has no date' };
  return filled('overlay');
}

const cellOf = ({ by, absent }: Fill): string => by ?? `*${absent}*`;

/** Which of the stored attributes each place with parcels fills, and how. */
export function renderParcels(): string {
  const holding = [...places.values()].filter(place => place.layers.some(layer => layer.dataset === 'parcel_store'));
  const names = Object.keys(PARCEL_ATTRIBUTES) as ParcelAttributeName[];
  const filled = holding.map(place => names.filter(name => fillOf(place, name).by).length);
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    '# Attributes of parcels',
    '',
    '<!-- Generated from datasets/places and datasets/parcel/parcel-overlays.ts by `make docs`; do not edit. -->',
    '',
    'The stored attributes of a parcel and',
    'what fills them in each place of this build: `source`, a column of what the publisher publishes; `ingest`, computed',
    'from the geometry when the place is ingested; `overlay`, computed for every parcel from the other layers of the same',
    'place, where its source leaves the attribute out. In italics why it is absent, as every answer says: *not published* by',
    'the source, nor told by any dataset of the catalog; *needs* layers that the place has not. A release of several places',
    'may fill more: overlays read every layer of the release. *source, in part*: some of the files that fill the county publish',
    'it; parcels of the others have what overlays tell, or are absent.',
    '',
    row(['attribute', ...holding.map(place => place.name)]),
    row(['---', ...holding.map(() => '---')]),
    row([`**filled of ${names.length}**`, ...filled.map(count => `**${count}**`)]),
    ...names.map(name => row([`\`${name}\``, ...holding.map(place => cellOf(fillOf(place, name)))])),
    '',
    '## How overlays are computed',
    '',
    'Expressions as in [operators.md](operators.md). `over=parcel` measures over the parcel itself; everything else is asked at its analysis',
    'point.',
    '',
    row(['attribute', 'expression']),
    row(['---', '---']),
    ...Object.entries(PARCEL_OVERLAYS).map(([name, { expression, labels }]) =>
      row([`\`${name}\``, `\`${expression}\`${labels ? ` (${Object.values(labels).join(' or ')})` : ''}`]),
    ),
    '',
  ].join('\n');
}
