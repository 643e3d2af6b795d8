import type { Value } from '../../datasets/dataset.ts';
import type { Feature } from './format/feature.ts';
import { type Rasters, rasters } from './nature/cover.ts';
import { type Exposure, makeExposure } from './nature/exposure.ts';
import { type FloodZone, mapFloods } from './nature/flood.ts';
import { Hazards } from './nature/hazard.ts';
import { Lattice } from './nature/lattice.ts';
import { type Soil, soils } from './nature/soil.ts';
import type { Pond, Reach } from './nature/stream.ts';
import { Terrain } from './nature/terrain.ts';
import { type Wetland, wetlands } from './nature/wetland.ts';
import { type Area, SetOperations } from './set-operations.ts';
import { addresses } from './settlement/address.ts';
import { type Building, buildings } from './settlement/building.ts';
import { Census } from './settlement/census.ts';
import { COUNTIES, type County } from './settlement/county.ts';
import { makeNetwork, type Network } from './settlement/network.ts';
import { Cadastre, type Parcel } from './settlement/parcel.ts';
import { type Road, roads } from './settlement/road.ts';
import { Sites } from './settlement/site.ts';
import { Statistics } from './settlement/statistic.ts';

interface WorldOptions {
  /** Rows of both parcel rolls together. */
  readonly parcels: number;
  readonly seed: number;
}

/** What one county holds; whatever grows with the number of parcels is made anew, one by one, on every call. */
export interface CountyWorld {
  readonly county: County;
  readonly census: Census;
  roads(): Iterable<Road>;
  /** Parcels in file order. */
  parcels(): Iterable<Parcel>;
  /** A row of the parcel file that is a street and no parcel. */
  readonly street: Feature;
  /** Buildings in file order. */
  buildings(): Iterable<Building>;
  /** Rows of the address file. */
  addresses(): Iterable<Readonly<Record<string, Value>>>;
}

/** The synthetic area itself, apart from any file format: what tests compare answers with. */
export interface World {
  readonly options: WorldOptions;
  readonly terrain: Terrain;
  readonly lattice: Lattice;
  /** In the order of COUNTIES. */
  readonly counties: readonly CountyWorld[];
  readonly reaches: readonly Reach[];
  readonly ponds: readonly Pond[];
  /** Ground of the streams wide enough to be drawn as areas. */
  readonly channel: Area;
  readonly floods: readonly FloodZone[];
  readonly soils: readonly Soil[];
  readonly wetlands: readonly Wetland[];
  readonly sites: Sites;
  readonly hazards: Hazards;
  readonly statistics: Statistics;
  readonly network: Network;
  readonly exposure: Exposure;
  readonly rasters: Rasters;
}

/**
 * Least and greatest number of parcels: fewer leave tracts empty; with more the geodatabase of a county, 427 bytes a
 * parcel, would pass the 1 GiB up to which one is read without a GDAL of the machine's own.
 */
export const PARCEL_LIMITS = [200, 5_000_000] as const;

/**
 * Makes the synthetic area: the same options give the same area. Memory does not grow with the parcels.
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
  const lattice = new Lattice(terrain, Math.ceil((parcels / 2) * 1.15));
  const { reaches, ponds } = lattice.streams;
  const sets = await SetOperations.load();
  const wide = reaches
    .filter(reach => reach.order >= 2)
    .map(reach => ({ type: 'LineString', coordinates: reach.line }) as const);
  const counties = COUNTIES.map((county, i): CountyWorld => {
    const records = i === 0 ? Math.ceil(parcels / 2) : Math.floor(parcels / 2);
    const cadastre = new Cadastre(lattice, seed, county, records);
    return {
      county,
      census: new Census(lattice, seed, county),
      roads: () => roads(lattice, county),
      parcels: () => cadastre.parcels(),
      street: cadastre.street(),
      buildings: () => buildings(seed, county, cadastre.parcels()),
      addresses: () => addresses(seed, county, cadastre.parcels()),
    };
  });
  const censuses = counties.map(({ census }) => census);
  return {
    options,
    terrain,
    lattice,
    counties,
    reaches,
    ponds,
    channel: sets.buffer(wide, 5),
    floods: mapFloods(sets, lattice, reaches, ponds),
    soils: soils(terrain, lattice),
    wetlands: wetlands(terrain, lattice, ponds),
    sites: new Sites(lattice, seed),
    hazards: new Hazards(terrain, lattice, ponds),
    statistics: new Statistics(censuses, seed),
    network: makeNetwork(lattice, seed, censuses),
    exposure: makeExposure(terrain, lattice, censuses),
    rasters: rasters(terrain, lattice, ponds),
  };
}
