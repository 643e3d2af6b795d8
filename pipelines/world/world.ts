import { type Building, buildings } from './building.ts';
import { Census } from './census.ts';
import { type Rasters, rasters } from './cover.ts';
import { type FloodZone, mapFloods } from './flood.ts';
import { Lattice } from './lattice.ts';
import { type Area, Overlay } from './overlay.ts';
import { Cadastre, type Parcel } from './parcel.ts';
import { type Road, roads } from './road.ts';
import { Sites } from './site.ts';
import { soils } from './soil.ts';
import { Statistics } from './statistic.ts';
import { type Pond, type Reach, traceStreams } from './stream.ts';
import { Terrain } from './terrain.ts';
import { type Wetland, wetlands } from './wetland.ts';

export interface WorldOptions {
  /** Rows of the parcel roll. */
  readonly parcels: number;
  readonly seed: number;
}

/** The synthetic area itself, apart from any file format: what tests compare answers with. */
export interface World {
  readonly options: WorldOptions;
  readonly terrain: Terrain;
  readonly lattice: Lattice;
  readonly census: Census;
  readonly reaches: readonly Reach[];
  readonly ponds: readonly Pond[];
  /** Ground of the streams wide enough to be drawn as areas. */
  readonly channel: Area;
  readonly floods: readonly FloodZone[];
  readonly roads: readonly Road[];
  readonly soils: ReturnType<typeof soils>;
  readonly wetlands: readonly Wetland[];
  readonly sites: Sites;
  readonly statistics: Statistics;
  readonly rasters: Rasters;
  /** Parcels in file order, made anew on every call. */
  parcels(): Iterable<Parcel>;
  /** Buildings in file order, made anew on every call. */
  buildings(): Iterable<Building>;
}

/** Least and greatest number of parcels: fewer leave tracts empty, more stand on less than a footprint. */
export const PARCEL_LIMITS = [200, 2_000_000] as const;

/**
 * Makes the synthetic area: the same options give the same area.
 * @throws RangeError when an option is no whole number in its range.
 */
export async function makeWorld(options: WorldOptions): Promise<World> {
  const { parcels, seed } = options;
  const [least, most] = PARCEL_LIMITS;
  if (!Number.isInteger(parcels) || parcels < least || parcels > most)
    throw new RangeError(`${parcels} parcels: expected a whole number from ${least} to ${most}`);
  if (!Number.isInteger(seed) || seed < 0 || seed > 0xffffffff)
    throw new RangeError(`seed ${seed}: expected a whole number from 0 to 4294967295`);
  const terrain = new Terrain(seed);
  // More cells than records, so that some lots are joined into larger ones.
  const lattice = new Lattice(terrain, Math.ceil(parcels * 1.15));
  const census = new Census(lattice, seed);
  const { reaches, ponds } = traceStreams(terrain);
  const overlay = await Overlay.load();
  const wide = reaches
    .filter(reach => reach.order >= 2)
    .map(reach => ({ type: 'LineString', coordinates: reach.line }) as const);
  const cadastre = new Cadastre(lattice, seed, parcels);
  return {
    options,
    terrain,
    lattice,
    census,
    reaches,
    ponds,
    channel: overlay.buffer(wide, 5),
    floods: mapFloods(overlay, lattice, reaches, ponds),
    roads: roads(lattice),
    soils: soils(terrain, lattice),
    wetlands: wetlands(terrain, lattice, ponds),
    sites: new Sites(lattice, seed),
    statistics: new Statistics(census, seed),
    rasters: rasters(terrain, lattice, ponds),
    parcels: () => cadastre.parcels(),
    buildings: () => buildings(seed, cadastre.parcels()),
  };
}
