import { isNumeric, ROAD } from './crossing.ts';
import { highwayOf } from './highway.ts';
import { type HouseNumber, houseNumbers, misreadNumber } from './house-number.ts';
import { cardinalOf } from './ordinal.ts';
import { STRAIN, strainOf } from './strain.ts';
import { suffixOf } from './suffix.ts';

/** Words that announce a house number: NO. 73, HOUSE 73, HOUSE # 73; a lone # may announce one too. */
export const ANNOUNCED = /^(?:NO|NR|NBR|NUM|NUMBER|HOUSE)$/;

/** A beginning of a piece: its house number, and the words behind it. */
interface Head {
  readonly number: HouseNumber | null;
  readonly rest: readonly string[];
  readonly strain: number;
}

/** Every way in which a piece may begin. @param whole whether it is the street alone, its city being in another piece. */
export function headsOf(words: readonly string[], whole: boolean): Head[] {
  const heads: Head[] = houseNumbers(words)
    .filter(n => n.words < words.length)
    .map((n, i) => ({ number: n.number, rest: words.slice(n.words), strain: i * STRAIN.moved }));
  // L2 MAIN ST is 12; I95 is a road, and of L2 12 MAIN ST the number follows. L MAIN ST may be a street.
  const misread = heads.length || words.length < 3 || isNumeric(words[1]) ? null : misreadNumber(words[0]!);
  const behind = words.slice(1);
  if (misread && behind.some((word, i) => i > 0 && suffixOf(word) !== null)) {
    heads.push({ number: misread, rest: behind, strain: STRAIN.misread });
    if (words[0]!.length === 1) heads.push({ number: null, rest: words, strain: 0 });
  }
  // JANE DOE 73 HARLOW ST, 5 73 HARLOW ST: who lives there, a building or a unit stands in front.
  // TWELVE OAKS DR is a street, and may be number 12.
  if (cardinalOf(words[0]!) !== null && heads.length) heads.push({ number: null, rest: words, strain: 0 });
  const most = heads.length ? 2 : words.length - 1;
  for (let at = 1; at < Math.min(most, words.length - 1); at++) {
    if (!isNumeric(words[at]) || ROAD.test(words[at - 1]!)) continue;
    const [found] = houseNumbers(words.slice(at));
    const rest = words.slice(at + (found?.words ?? 0));
    const isStreet =
      (whole && !heads.length) || rest.some((word, i) => i > 0 && suffixOf(word) !== null) || highwayOf(rest) !== null;
    if (!found || !isStreet) continue;
    const strain = STRAIN.leftOut + strainOf(words.slice(0, at));
    // Of 71 7 HOWARD ST either may be the unit, as of 71-7.
    const isPlain = at === 1 && found.words === 1 && /^\d+$/.test(words[0]!);
    const [either] = isPlain ? houseNumbers([`${words[0]}-${words[1]}`]) : [];
    // Both are explained, and the house of either costs as much as the other's unit left out would.
    if (either) heads.push({ number: either.number, rest, strain: STRAIN.leftOut + STRAIN.moved });
    else heads.push({ number: found.number, rest, strain });
    // 1 24 HOWARD ST may be 124 as well as unit 1 of 24.
    const [joined] = /^\d+$/.test(words[0]!) && at === 1 ? houseNumbers([`${words[0]}${words[1]}`]) : [];
    if (joined) heads.push({ number: joined.number, rest, strain });
  }
  const [, digits, direction] = /^(\d+)([NSEW])$/.exec(words[0]!) ?? [];
  if (direction && heads.length) {
    const [joined] = houseNumbers([digits!]);
    heads.push({ number: joined!.number, rest: [direction, ...words.slice(1)], strain: STRAIN.directionalJoined });
  }
  if (heads.length) return heads;
  heads.push({ number: null, rest: words, strain: 0 });
  // HARLOW ST 73, as much of the world writes it.
  const [trailing] = words.length > 1 ? houseNumbers([words.at(-1)!]) : [];
  if (trailing && !highwayOf(words)) {
    const { number } = trailing;
    heads.unshift({ number, rest: words.slice(0, -1), strain: STRAIN.moved });
    // Of WEBSTER AVE NO 20 nobody can tell whether NO is North or announces the number.
    if (words.length > 2 && ANNOUNCED.test(words.at(-2)!))
      heads.unshift({ number, rest: words.slice(0, -2), strain: STRAIN.moved });
  }
  return heads;
}
