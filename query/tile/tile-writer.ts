import { PbfWriter } from 'pbf';
import type { Value } from '../../datasets/dataset.ts';
import { EXTENT } from './tile-grid.ts';
import type { TileShape } from './tile-shape.ts';

/** A feature of a tile; properties without a value are left out. */
export interface TileFeature {
  readonly shape: TileShape;
  readonly properties: Readonly<Record<string, Value>>;
}

/** A feature as it is written: its geometry as commands with steps from position to position. */
export interface EncodedFeature {
  readonly kind: number;
  readonly commands: number[];
  readonly properties: Readonly<Record<string, Value>>;
}

/** Field numbers of vector_tile.proto, version 2.1 of the Mapbox Vector Tile specification. */
export const TILE = { layers: 3 } as const;
export const LAYER = { name: 1, features: 2, keys: 3, values: 4, extent: 5, version: 15 } as const;
export const FEATURE = { tags: 2, type: 3, geometry: 4 } as const;
export const VALUE = { text: 1, double: 3, signed: 6, flag: 7 } as const;
const COMMAND = { moveTo: 1, lineTo: 2, closePath: 7 } as const;

const command = (id: number, count: number) => (id & 7) | (count << 3);
const zigzag = (delta: number) => (delta << 1) ^ (delta >> 31);

/** The geometry as commands with steps from position to position. */
function commandsOf({ kind, paths }: TileShape): number[] {
  const out: number[] = [];
  let [x, y] = [0, 0];
  const step = ([toX, toY]: readonly [number, number]) => {
    out.push(zigzag(toX - x), zigzag(toY - y));
    [x, y] = [toX, toY];
  };
  if (kind === 1) {
    out.push(command(COMMAND.moveTo, paths.length));
    for (const [point] of paths) step(point!);
    return out;
  }
  for (const path of paths) {
    out.push(command(COMMAND.moveTo, 1));
    step(path[0]!);
    out.push(command(COMMAND.lineTo, path.length - 1));
    for (let i = 1; i < path.length; i++) step(path[i]!);
    if (kind === 3) out.push(command(COMMAND.closePath, 1));
  }
  return out;
}

/** Numbers of different things in the order in which they were met first. */
class Numbering<T> {
  readonly #numbers = new Map<T, number>();
  of(thing: T): number {
    const number = this.#numbers.get(thing) ?? this.#numbers.size;
    this.#numbers.set(thing, number);
    return number;
  }
  get all(): Iterable<T> {
    return this.#numbers.keys();
  }
}

function writeValue(value: Exclude<Value, null>, pbf: PbfWriter): void {
  if (typeof value === 'string') pbf.writeStringField(VALUE.text, value);
  else if (typeof value === 'boolean') pbf.writeBooleanField(VALUE.flag, value);
  else if (Number.isSafeInteger(value)) pbf.writeSVarintField(VALUE.signed, value);
  else pbf.writeDoubleField(VALUE.double, value);
}

function writeLayer([name, features]: readonly [string, readonly EncodedFeature[]], pbf: PbfWriter): void {
  const keys = new Numbering<string>();
  const values = new Numbering<Exclude<Value, null>>();
  pbf.writeVarintField(LAYER.version, 2);
  pbf.writeStringField(LAYER.name, name);
  pbf.writeVarintField(LAYER.extent, EXTENT);
  for (const { kind, commands, properties } of features) {
    const tags: number[] = [];
    for (const [key, value] of Object.entries(properties))
      if (value !== null) tags.push(keys.of(key), values.of(value));
    pbf.writeMessage(
      LAYER.features,
      () => {
        pbf.writePackedVarint(FEATURE.tags, tags);
        pbf.writeVarintField(FEATURE.type, kind);
        pbf.writePackedVarint(FEATURE.geometry, commands);
      },
      null,
    );
  }
  for (const key of keys.all) pbf.writeStringField(LAYER.keys, key);
  for (const value of values.all) pbf.writeMessage(LAYER.values, writeValue, value);
}

/** A vector tile (MVT 2.1) of one layer. @returns no bytes where the layer has no feature. */
export function writeEncoded(name: string, features: readonly EncodedFeature[]): Uint8Array {
  const pbf = new PbfWriter();
  if (features.length > 0) pbf.writeMessage(TILE.layers, writeLayer, [name, features] as const);
  return pbf.finish();
}

/** As writeEncoded, of features that were drawn. */
export const writeTile = (name: string, features: readonly TileFeature[]): Uint8Array =>
  writeEncoded(
    name,
    features.map(({ shape, properties }) => ({ kind: shape.kind, commands: commandsOf(shape), properties })),
  );
