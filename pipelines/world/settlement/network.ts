import type { Lattice } from '../nature/lattice.ts';
import type { Census } from './census.ts';
import { Districts } from './district.ts';
import { Economy } from './economy.ts';
import { Transport } from './transport.ts';
import { Utilities } from './utility.ts';

/** What ties the area together: districts, utilities, transport and the county economy. */
export interface Network {
  readonly districts: Districts;
  readonly utilities: Utilities;
  readonly transport: Transport;
  readonly economy: Economy;
}

/** @param censuses of both counties, in the order of COUNTIES. */
export function makeNetwork(lattice: Lattice, seed: number, censuses: readonly Census[]): Network {
  return {
    districts: new Districts(lattice, seed, censuses),
    utilities: new Utilities(lattice, censuses),
    transport: new Transport(lattice, seed),
    economy: new Economy(lattice, censuses),
  };
}
