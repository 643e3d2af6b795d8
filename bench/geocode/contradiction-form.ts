import { directionalOf } from '../../query/geocode/address/directional.ts';
import { streetOf } from '../../query/geocode/address/street.ts';
import { endOf, type Form, type Known, keyOf, metresBetween, pick, title } from './form.ts';
import type { Truth } from './truth.ts';

const LOT_M = 100;
/** Cities of the state that are not the place: a ZIP code, and a county. */
const ELSEWHERE: Readonly<Record<string, { readonly zip: string; readonly county: string | null }>> = {
  ME: { zip: '04101', county: 'Cumberland' },
  NC: { zip: '27401', county: 'Guilford' },
  DC: { zip: '20782', county: null },
};
const REGIONS = ['Gwynedd LL57', 'Tyne and Wear NE38', 'Co. Down BT20', 'Bavaria', 'Nova Scotia B3H'];
/** Signs that may part thousands or a unit from its house. */
const SIGNS = ["'", '’', '•', '…', '×', ';', '`', '·'];

const streets = new WeakMap<Known['addresses'], Map<string, Truth[]>>();

/** The published houses of a street, those with digits alone. */
function housesOf({ addresses }: Known, { street }: Truth): readonly Truth[] {
  let all = streets.get(addresses);
  if (!all) {
    const plain = [...addresses.values()].flatMap(([first]) => (first && /^\d+$/.test(first.number) ? [first] : []));
    all = Map.groupBy(plain, truth => streetOf(truth.street.split(' ')).whole);
    streets.set(addresses, all);
  }
  return all.get(streetOf(street.split(' ')).whole) ?? [];
}

/** Two published houses of one street, their numbers written as one; both are as likely. */
function two(kind: string, most: number, join: readonly string[]): Form {
  return {
    kind,
    group: 'hostile',
    write(truth, place, known, random) {
      const near = housesOf(known, truth).filter(
        other =>
          Math.abs(Number(other.number) - Number(truth.number)) <= most &&
          Number(other.number) > Number(truth.number) &&
          metresBetween(truth, other) > LOT_M,
      );
      if (!/^\d+$/.test(truth.number) || !near.length) return null;
      const other = pick(near, random);
      const sign = pick(join, random);
      const numbers = `${sign.startsWith('(') ? '(' : ''}${other.number}${sign.replace('(', '')}${truth.number}`;
      const ordered = most > 100 ? numbers : `${truth.number}${sign}${other.number}`;
      return {
        text: `${ordered} ${title(truth.street)}, ${endOf(truth, place)}`,
        right: known.addresses.get(keyOf(truth))!,
        others: known.addresses.get(keyOf(other))!,
      };
    },
  };
}

/** Contradictions of an address: nothing is right then. */
const never = (kind: string, write: Form['write']): Form => ({ kind, group: 'false', write });

/** A street of a quadrant without it; null where it has none. */
function withoutQuadrant({ street }: Truth): string | null {
  const words = street.split(' ');
  const last = words.length > 2 ? directionalOf(words.at(-1)!) : null;
  return last?.length === 2 ? words.slice(0, -1).join(' ') : null;
}

const QUADRANTS = ['NW', 'NE', 'SW', 'SE'];

/** Addresses of which one part contradicts another, or is as likely another's: they are asked back, or refused. */
export const CONTRADICTIONS: readonly Form[] = [
  two('two published numbers', Number.MAX_SAFE_INTEGER, [', ', '; ', '\n', '() ']),
  two('a range of two published numbers', 100, ['-', ' to ', ' - ', ' & ']),
  {
    kind: 'two addresses',
    group: 'hostile',
    write(truth, place, { addresses }, random) {
      const other = pick([...addresses.values()], random)[0]!;
      if (metresBetween(truth, other) <= LOT_M) return null;
      return {
        text: `${truth.number} ${title(truth.street)}, ${other.number} ${title(other.street)}, ${endOf(truth, place)}`,
        right: addresses.get(keyOf(truth))!,
        others: addresses.get(keyOf(other))!,
      };
    },
  },
  {
    kind: 'a sign inside the number',
    group: 'hostile',
    write(truth, place, { addresses }, random) {
      const { number, street } = truth;
      if (!/^\d{4}$/.test(number)) return null;
      return {
        text: `${number[0]}${pick(SIGNS, random)}${number.slice(1)} ${title(street)}, ${endOf(truth, place)}`,
        right: addresses.get(keyOf(truth))!,
        // 1'066 is no unit of 66.
        others: addresses.get(keyOf({ number: number.slice(1), street })) ?? [],
      };
    },
  },
  never('a ZIP code of another city', ({ number, street }, { state: [code] }) => ({
    text: `${number} ${title(street)}, ${ELSEWHERE[code]!.zip}`,
    right: [],
  })),
  never('another county', ({ number, street }, { city, state: [code] }) => {
    const { county } = ELSEWHERE[code]!;
    return county === null
      ? null
      : { text: `${number} ${title(street)}, ${city}, ${county} County, ${code}`, right: [] };
  }),
  never('another country', ({ number, street }, { city }, _, random) => ({
    text: `${number} ${title(street)}, ${city}, ${pick(REGIONS, random)}`,
    right: [],
  })),
  {
    kind: 'no quadrant',
    group: 'hard',
    write(truth, place, { addresses }) {
      const street = withoutQuadrant(truth);
      if (street === null) return null;
      const { number } = truth;
      const others = [street, ...QUADRANTS.map(quadrant => `${street} ${quadrant}`)]
        .filter(other => other !== truth.street)
        .flatMap(other => addresses.get(keyOf({ number, street: other })) ?? []);
      const right = addresses.get(keyOf(truth))!;
      return { text: `${number} ${title(street)}, ${endOf({ ...truth, zip: null }, place)}`, right, others };
    },
  },
  {
    kind: 'a quadrant behind the state',
    group: 'clean',
    write(truth, { city, state: [code] }, { addresses }) {
      const street = withoutQuadrant(truth);
      if (street === null) return null;
      const quadrant = truth.street.split(' ').at(-1)!;
      return {
        text: `${truth.number} ${title(street)}, ${city}, ${code} ${quadrant}`,
        right: addresses.get(keyOf(truth))!,
      };
    },
  },
];
