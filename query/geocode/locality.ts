import type { Box } from '../../datasets/geometry.ts';
import { boxOf } from '../../datasets/geometry.ts';
import type { Partition } from '../../datasets/release.ts';
import { distance } from '../geometry/geodesic.ts';
import type { Features } from '../release/features.ts';
import type { Layers } from '../release/layers.ts';
import { cityCost, cityKey, cityOfKind } from './address/city.ts';
import { stateOfFips } from './address/state.ts';
import { centroid } from './index/address-row.ts';

/** An area that can be named in an address. */
export interface Area {
  /** In capitals, without its legal description. */
  readonly name: string;
  readonly lng: number;
  readonly lat: number;
  readonly box: Box;
  readonly source: string;
  /** Two letters; null where the layer does not tell. */
  readonly state: string | null;
  readonly countyFips: string | null;
}

const TIGER = 'census_tiger';
export type AreaLayer = 'place' | 'zcta520' | 'county' | 'state';
const NAME: Readonly<Record<AreaLayer, string>> = {
  place: 'NAMELSAD',
  zcta520: 'ZCTA5CE20',
  county: 'NAMELSAD',
  state: 'NAME',
};

/** Legal descriptions of places as the Census Bureau writes them behind the name (`Bangor city`). */
const LEGAL =
  / (?:city and borough|city|town|village|borough|municipality|CDP|comunidad|zona urbana|plantation|township|unified government.*|consolidated government.*|metro(?:politan)? government.*|urban county)(?: \(balance\))?$/;

/** `Bangor city` → `BANGOR`. */
const placeName = (legal: string): string =>
  legal
    .replace(LEGAL, '')
    .normalize('NFKD')
    .replace(/[^A-Za-z\d ]/g, '')
    .toUpperCase();

/** The areas of a layer's partition: their numbers in the file by what names are compared as, and those that were read. */
interface Directory {
  readonly numbers: ReadonlyMap<string, readonly number[]>;
  readonly areas: Map<number, Area>;
}

/** An area's name in capitals as addresses may have it, the plain one first: `PENOBSCOT COUNTY`, `PENOBSCOT`. */
function namesOf(layer: AreaLayer, legal: string): string[] {
  if (layer === 'place') return [placeName(legal)];
  const name = legal.toUpperCase().replace(/[^A-Z\d ]/g, '');
  const short = layer === 'county' ? name.replace(/ (?:COUNTY|PARISH|BOROUGH|CITY|MUNICIPIO)$/, '') : name;
  return short === name ? [name] : [name, short];
}

/** One area of a file. Its outline is read only here: the ZIP code areas of the country are half a gigabyte. */
function areaOf(layer: AreaLayer, features: Features, index: number, source: string): Area {
  const { geometry, properties } = features.feature(index);
  const [lng, lat] = centroid(geometry);
  const geoid = typeof properties.GEOID === 'string' ? properties.GEOID : '';
  return {
    name: namesOf(layer, String(properties[NAME[layer]]))[0]!,
    lng,
    lat,
    box: boxOf(geometry),
    source,
    state: layer === 'zcta520' ? null : stateOfFips(geoid.slice(0, 2)),
    countyFips: layer === 'county' ? geoid : null,
  };
}

/** What a release knows about the areas that addresses name: places, ZIP code areas, counties and states. */
export class Localities {
  readonly #layers: Layers;
  constructor(layers: Layers) {
    this.#layers = layers;
  }

  /** The place that holds a point, as its name in capitals; null where none does. */
  async placeAt(lng: number, lat: number): Promise<string | null> {
    const found = await this.#at('place', lng, lat);
    return found === null ? null : placeName(String(found.NAMELSAD));
  }

  /** Five-digit ZIP code tabulation area that holds a point; null where none does. */
  async zipAt(lng: number, lat: number): Promise<string | null> {
    const found = await this.#at('zcta520', lng, lat);
    return found === null ? null : String(found.ZCTA5CE20);
  }

  /** Five-digit FIPS code of the county that holds a point; null where none does. */
  async countyAt(lng: number, lat: number): Promise<string | null> {
    const found = await this.#at('county', lng, lat);
    return found === null ? null : String(found.GEOID);
  }

  /**
   * Areas of a name.
   * @param name in capitals; of ZIP codes five digits, of counties with or without their kind.
   * @param state two letters that the area must belong to, where it can be told.
   * @param mistyped also areas whose name differs by a typing error, where none has the very name.
   */
  async named(layer: AreaLayer, name: string, state: string | null, mistyped = false): Promise<readonly Area[]> {
    const found: Area[] = [];
    const wanted = cityKey(name);
    for (const { key, partition } of this.#partitions(layer)) {
      if (state !== null && key !== 'US' && key !== state) continue;
      const features = await this.#layers.features(partition);
      const directory = this.#directory(layer, features, partition);
      const exact = directory.numbers.get(wanted) ?? directory.numbers.get(cityOfKind(name) ?? wanted);
      const near = exact || !mistyped ? [] : [...directory.numbers].filter(([other]) => cityCost(name, other) !== null);
      for (const index of exact ?? near.flatMap(([, indexes]) => indexes)) {
        const area = directory.areas.get(index) ?? areaOf(layer, features, index, partition.provenance.source);
        directory.areas.set(index, area);
        if (state === null || area.state === null || area.state === state) found.push(area);
      }
    }
    return found;
  }

  /**
   * The areas of a layer, partition by partition: for lists that people choose from. `names` reads every name in capitals with the
   * number of its area, `area` one area with its outline.
   */
  async *directories(layer: AreaLayer): AsyncGenerator<{
    readonly id: string;
    readonly names: () => readonly (readonly [name: string, index: number])[];
    readonly stateOf: (index: number) => string | null;
    readonly boxOf: (index: number) => Box;
    readonly area: (index: number) => Area;
  }> {
    for (const { partition } of this.#partitions(layer)) {
      const features = await this.#layers.features(partition);
      const { file } = features;
      const { areas } = this.#directory(layer, features, partition);
      yield {
        id: this.#layers.idOf(this.#layers.file(partition, 'features')),
        names: () =>
          Array.from({ length: file.count }, (_, i) => i).flatMap(i => {
            const legal = file.properties(i)[NAME[layer]];
            return typeof legal === 'string' ? namesOf(layer, legal).map(name => [name, i] as const) : [];
          }),
        stateOf: index => (layer === 'zcta520' ? null : stateOfFips(String(file.properties(index).GEOID).slice(0, 2))),
        boxOf: index => file.box(index),
        area(index) {
          const area = areas.get(index) ?? areaOf(layer, features, index, partition.provenance.source);
          areas.set(index, area);
          return area;
        },
      };
    }
  }

  /** Geodesic metres from a point to the box of an area; 0 inside. */
  static metresTo({ box: [west, south, east, north] }: Pick<Area, 'box'>, lng: number, lat: number): number {
    const x = Math.min(east, Math.max(west, lng));
    const y = Math.min(north, Math.max(south, lat));
    return x === lng && y === lat ? 0 : distance(lng, lat, x, y);
  }

  #partitions(layer: AreaLayer) {
    return (this.#layers.release.layer(TIGER, layer)?.partitions ?? []).map(partition => ({
      key: partition.key.split('/')[0]!,
      partition,
    }));
  }

  async #at(layer: AreaLayer, lng: number, lat: number) {
    for (const { partition } of this.#partitions(layer)) {
      const { box } = partition;
      if (box && (lng < box[0] || lng > box[2] || lat < box[1] || lat > box[3])) continue;
      const features = await this.#layers.features(partition);
      const [hit] = features.containing(lng, lat);
      if (hit) return hit.properties;
    }
    return null;
  }

  #directory(layer: AreaLayer, features: Features, partition: Partition): Directory {
    const id = `areas of ${layer} in ${this.#layers.idOf(this.#layers.file(partition, 'features'))}`;
    const cached = this.#layers.cache.get(id) as Directory | undefined;
    if (cached) return cached;
    const numbers = new Map<string, number[]>();
    for (let i = 0; i < features.file.count; i++) {
      const legal = features.file.properties(i)[NAME[layer]];
      if (typeof legal !== 'string') continue;
      for (const name of namesOf(layer, legal)) {
        const key = cityKey(name);
        const indexes = numbers.get(key);
        if (indexes) indexes.push(i);
        else numbers.set(key, [i]);
      }
    }
    const directory = { numbers, areas: new Map<number, Area>() };
    this.#layers.cache.set(id, directory, 2000 + numbers.size * 450);
    return directory;
  }
}
