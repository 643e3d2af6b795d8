import type { Census } from '../settlement/census.ts';
import { Disasters } from './disaster.ts';
import type { Lattice } from './lattice.ts';
import type { Terrain } from './terrain.ts';
import { Water } from './water.ts';

/** What the area is exposed to and draws on: water and its use, and the disasters of the past. */
export interface Exposure {
  readonly water: Water;
  readonly disasters: Disasters;
}

/** @param censuses of both counties, in the order of COUNTIES. */
export function makeExposure(terrain: Terrain, lattice: Lattice, censuses: readonly Census[]): Exposure {
  return { water: new Water(terrain, lattice, terrain.seed), disasters: new Disasters(censuses, terrain.seed) };
}
