import { PbfReader } from 'pbf';
import type { Value } from '../../datasets/dataset.ts';
import { type EncodedFeature, FEATURE, LAYER, TILE, VALUE, writeEncoded } from './tile-writer.ts';

/** A feature whose keys and values are still numbers. */
interface NumberedFeature {
  kind: number;
  commands: number[];
  tags: number[];
}

function readFeature(pbf: PbfReader): NumberedFeature {
  const feature: NumberedFeature = { kind: 0, commands: [], tags: [] };
  return pbf.readMessage((field, of) => {
    if (field === FEATURE.type) of.kind = pbf.readVarint();
    else if (field === FEATURE.geometry) of.commands = pbf.readPackedVarint();
    else if (field === FEATURE.tags) of.tags = pbf.readPackedVarint();
  }, feature);
}

function readValue(pbf: PbfReader): Value {
  let value: Value = null;
  pbf.readMessage(field => {
    if (field === VALUE.text) value = pbf.readString();
    else if (field === VALUE.double) value = pbf.readDouble();
    else if (field === VALUE.signed) value = pbf.readSVarint();
    else if (field === VALUE.flag) value = pbf.readBoolean();
  }, null);
  return value;
}

/** The features of a tile that writeEncoded wrote, with the name of its layer. */
function readTile(tile: Uint8Array): { readonly name: string; readonly features: EncodedFeature[] } {
  const [keys, values, features]: [string[], Value[], NumberedFeature[]] = [[], [], []];
  let name = '';
  const pbf = new PbfReader(tile);
  pbf.readFields(field => {
    if (field !== TILE.layers) return;
    pbf.readMessage(of => {
      if (of === LAYER.name) name = pbf.readString();
      else if (of === LAYER.keys) keys.push(pbf.readString());
      else if (of === LAYER.values) values.push(readValue(pbf));
      else if (of === LAYER.features) features.push(readFeature(pbf));
    }, null);
  }, null);
  const properties = (tags: readonly number[]) =>
    Object.fromEntries(tags.flatMap((tag, i) => (i % 2 === 0 ? [[keys[tag]!, values[tags[i + 1]!]!]] : [])));
  return {
    name,
    features: features.map(({ kind, commands, tags }) => ({ kind, commands, properties: properties(tags) })),
  };
}

/**
 * One tile with the features of several of the same layer, one tile after the other: the same bytes as if they had been drawn
 * together. A tile may have a layer only once, so they cannot stand one behind the other.
 */
export function tileUnion(tiles: readonly Uint8Array[]): Uint8Array {
  const each = tiles.map(readTile);
  return writeEncoded(
    each[0]?.name ?? '',
    each.flatMap(({ features }) => features),
  );
}
