import type { Random } from '../random.ts';

/** Land use codes of the roll. */
export const USES = {
  '101': 'Single Family',
  '111': 'Multi Family',
  '102': 'Condominium',
  '130': 'Vacant Residential',
  '300': 'Commercial',
  '400': 'Industrial',
  '601': 'Forest',
  '700': 'Farm',
  '900': 'Exempt',
} as const;
/** Land use code of the roll. */
export type Use = keyof typeof USES;

/** Districts of the zoning ordinance. */
const DISTRICTS = {
  C1: 'General commercial',
  R2: 'Multi-family residential',
  R1: 'Low density residential',
  RR: 'Rural resource',
  I1: 'Light industrial',
  P: 'Public',
} as const;

type Belt = 'centre' | 'inner' | 'outer' | 'country' | 'farms';

/** What lots are used for, of a hundred: from the middle of the town outwards, in the country by their size. */
const MIXES: Readonly<Record<Belt, readonly (readonly [Use, number])[]>> = {
  centre: [
    ['300', 45],
    ['111', 20],
    ['101', 20],
    ['900', 10],
    ['130', 5],
  ],
  inner: [
    ['101', 58],
    ['111', 23],
    ['300', 8],
    ['130', 6],
    ['900', 5],
  ],
  outer: [
    ['101', 74],
    ['130', 13],
    ['111', 5],
    ['400', 5],
    ['900', 3],
  ],
  country: [
    ['101', 60],
    ['130', 22],
    ['700', 12],
    ['400', 3],
    ['900', 3],
  ],
  farms: [
    ['700', 36],
    ['601', 34],
    ['101', 19],
    ['130', 8],
    ['900', 3],
  ],
};

/** Acres from which a lot of the country is a farm or a wood. */
const FARM = 5;

/** @param outness how far out a block lies: under 1 in the town */
function beltOf(outness: number, acres: number): Belt {
  if (outness < 0.35) return 'centre';
  if (outness < 0.7) return 'inner';
  if (outness < 1) return 'outer';
  return acres < FARM ? 'country' : 'farms';
}

/** What a lot is used for, drawn by where it lies and how large it is. */
export function useOf(outness: number, acres: number, random: Random): Use {
  let n = 100 * random.next();
  const mix = MIXES[beltOf(outness, acres)];
  for (const [use, share] of mix) {
    if (n < share) return use;
    n -= share;
  }
  return mix[0]![0];
}

type District = keyof typeof DISTRICTS;
const OWN: Partial<Record<Use, District>> = { '400': 'I1', '900': 'P', '300': 'C1', '102': 'R2' };
const BELTS: Readonly<Record<Belt, District>> = { centre: 'C1', inner: 'R2', outer: 'R1', country: 'RR', farms: 'RR' };

/** The district of a lot: that of its belt, but industry and public land have their own, and so have shops beyond the centre. */
export function districtOf(use: Use, outness: number, acres: number): { code: string; name: string } {
  const code = OWN[use] ?? BELTS[beltOf(outness, acres)];
  return { code, name: DISTRICTS[code] };
}
