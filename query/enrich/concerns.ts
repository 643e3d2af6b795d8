import { STATE_FIPS } from '../../datasets/codes/state-fips.ts';
import type { InstalledSource } from '../release/installed.ts';

const STATES: ReadonlyMap<string, string> = new Map(Object.entries(STATE_FIPS).map(([state, fips]) => [fips, state]));

/** Whether a source may tell something of a county: its own, or of its state or the country. */
export const concerns = ({ state, county: of }: InstalledSource, county: string): boolean =>
  of === null ? state === null || state === STATES.get(county.slice(0, 2)) : of === county;
