import { join } from 'node:path';
import synthetic from '../../datasets/places/synthetic.ts';
import type { World } from '../../pipelines/world/world.ts';
import { currentId, readManifest } from '../../query/release/home/releases.ts';
import { type StoredParcel, storedParcels } from '../../test/agreement/parcels.ts';
import { metresBetween, squareMetres } from '../../test/oracle/geodesic.ts';
import { type Polygonal, toGeoJSON } from '../../test/oracle/geojson.ts';
import { contains, metresTo } from '../../test/oracle/geometry.ts';
import { FieldTruth } from '../../test/pipelines/world/truth/field.ts';
import { TruthLayers } from '../../test/pipelines/world/truth/layers.ts';

/** International acre. */
const ACRE_M2 = 4046.8564224;

/** A spot of the synthetic town that tasks are about, beside 301 Main St. */
export const SPOT = { lat: 43.11307, lng: -70.69764 };

/** A parcel as its roll and the generator have it. */
export interface GroundParcel {
  readonly state: string;
  readonly lng: number;
  readonly lat: number;
  /** Columns of the roll. */
  readonly roll: StoredParcel['properties'];
  readonly geometry: StoredParcel['geometry'];
}

/** The truth that tasks are judged by: rows of the roll, and fields by brute force over what the generator made. The service has no part in it. */
export class Ground {
  readonly parcels: readonly GroundParcel[];
  readonly world: World;
  readonly #truth: FieldTruth;

  private constructor(world: World, parcels: readonly GroundParcel[], truth: FieldTruth) {
    this.world = world;
    this.parcels = parcels;
    this.#truth = truth;
  }

  /** @param home with a release of the world. */
  static async of(world: World, home: string): Promise<Ground> {
    const releases = join(home, 'releases');
    const { asOf } = readManifest(releases, currentId(releases)!);
    const stored = await storedParcels(home);
    const parcels = stored.map(({ state, properties: roll, geometry }) => ({
      ...{ state, roll, geometry },
      lng: Number(roll.centroid_lon),
      lat: Number(roll.centroid_lat),
    }));
    return new Ground(world, parcels, new FieldTruth(new TruthLayers(world, synthetic, asOf)));
  }

  /** The value of a field at a place; null where there is none. @throws Error where brute force is not sure. */
  value(field: string, { lng, lat }: { readonly lng: number; readonly lat: number }): unknown {
    const truth = this.#truth.at(field, lng, lat);
    if (truth === 'unsure')
      throw new Error(`the truth of ${field} at ${lat},${lng} is not sure: ask about another place`);
    return truth === 'absent' ? null : truth.value;
  }

  /** Parcels of a state that pass a test. */
  passing(state: string, test: (parcel: GroundParcel) => boolean): readonly GroundParcel[] {
    return this.parcels.filter(parcel => parcel.state === state && test(parcel));
  }

  /** The one parcel that holds a place. @throws Error where several do. */
  holding({ lng, lat }: { readonly lng: number; readonly lat: number }): GroundParcel {
    const all = this.parcels.filter(({ geometry }) => contains(geometry, lng, lat));
    if (all.length !== 1) throw new Error(`${all.length} parcels hold ${lat},${lng}`);
    return all[0]!;
  }

  acres = ({ geometry }: GroundParcel): number => acres(geometry);

  acresOf = (shape: Polygonal): number => squareMetres(shape) / ACRE_M2;

  /** The one parcel of an address. @throws Error where several have it. */
  at(address: string): GroundParcel {
    const all = this.parcels.filter(({ roll }) => roll.address === address);
    if (all.length !== 1) throw new Error(`${all.length} parcels have the address ${address}`);
    return all[0]!;
  }
}

/** Geodesic metres between two places. */
export const metres = (a: { lng: number; lat: number }, b: { lng: number; lat: number }): number =>
  metresBetween(a.lng, a.lat, b.lng, b.lat);

/** International acres of geodesic ground. */
export const acres = (geometry: GroundParcel['geometry']): number =>
  squareMetres(toGeoJSON(geometry) as Polygonal) / ACRE_M2;

/** Test for a shape that has ground within geodesic metres of a place. */
export const touches = (
  geometry: GroundParcel['geometry'],
  at: { lng: number; lat: number },
  within: number,
): boolean => contains(geometry, at.lng, at.lat) || metresTo(geometry, at.lng, at.lat) <= within;

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
