import type { Evidence } from '../backend.ts';
import { quoted } from './phrase.ts';
import { inMiles } from './subject.ts';

/** The points of the compass by their letters. */
const POINTS: Readonly<Record<string, string>> = {
  ...{ N: 'north', NE: 'northeast', E: 'east', SE: 'southeast' },
  ...{ S: 'south', SW: 'southwest', W: 'west', NW: 'northwest' },
};

/** A value as it is told. */
interface Valued {
  /** With its unit, in the unit of an American reader. */
  readonly text: string;
  /** The year that it is of, where that is past. */
  readonly year: number | null;
}

type Idiom = (match: RegExpExecArray, valued: Valued) => string;

const number = ({ text }: Valued): string => text.split(' ')[0]!;
/** A verb in the present, or in the past with its year. */
const told = ({ year }: Valued, present: string, past: string, rest: string): string =>
  year === null ? `${present} ${rest}` : `${past} ${rest} in ${year}`;
const live = (valued: Valued, where: string): string =>
  `${valued.text} ${told(valued, number(valued) === '1' ? 'lives' : 'live', 'lived', where)}`;

/** Sentences, by the titles of fields, whose subject would not be the title. */
const IDIOMS: readonly (readonly [RegExp, Idiom])[] = [
  [
    /^Aspect \(cardinal direction\)$/,
    (_, { text }) =>
      text in POINTS ? `The slope faces ${POINTS[text]!} (${text})` : 'The ground is flat, so it faces no way',
  ],
  [/^Aspect \(degrees\)$/, (_, { text }) => `The slope faces ${text} on the compass`],
  [/^Days (above|below) (\d+) F$/, ([, side, limit], { text }) => `There are ${text} ${side} ${limit} F`],
  [/^Historic days above (\d+) F$/, ([, limit], { text }) => `In the past there were ${text} above ${limit} F`],
  [
    /^Projected days above (\d+) F, mid-century$/,
    ([, limit], { text }) => `By mid-century ${text} above ${limit} F are projected`,
  ],
  [
    /^(Heating|Cooling) degree days (\(base \d+ F\))$/,
    ([, kind, base], valued) => `There are ${number(valued)} ${kind!.toLowerCase()} degree days a year ${base}`,
  ],
  [/^Population (within .+)$/, ([, where], valued) => live(valued, inMiles(where!))],
  [/^(County|Tract) population$/, ([, area], valued) => live(valued, `in the ${area!.toLowerCase()}`)],
  [
    /^Jobs (within .+)$/,
    ([, where], valued) => `There ${told(valued, 'are', 'were', `${valued.text} ${inMiles(where!)}`)}`,
  ],
  [/^County building permits total annual$/, (_, { text }) => `The county permits ${text} a year`],
  [
    /^County building permits single-family annual$/,
    (_, valued) => `The county permits ${number(valued)} single-family homes a year`,
  ],
  [/^NRI expected annual loss$/, (_, { text }) => `The tract is expected to lose ${text} to natural hazards`],
  [/^NRI (.+) expected annual loss$/, ([, peril], { text }) => `The tract is expected to lose ${text} to ${peril}`],
  [/^Nearest wildfire year$/, (_, { text }) => `The nearest past wildfire was in ${text}`],
  [/^Parcel last sale date$/, (_, { text }) => `The parcel was last sold on ${text}`],
  [
    /^Parcel transaction count$/,
    (_, valued) =>
      `The parcel has ${valued.text.replace(/ .*$/, '')} ${number(valued) === '1' ? 'sale' : 'sales'} on record`,
  ],
  [/^Flood map effective date$/, (_, { text }) => `The flood map took effect on ${text}`],
  [/^Developable acres proxy$/, (_, { text }) => `There are about ${text} left to build on`],
  [
    /^Hurricane max category (within .+)$/,
    ([, where], { text }) => `The strongest hurricane ${inMiles(where!)} was of category ${text}`,
  ],
  [/^Nearest road class$/, (_, { text }) => `The nearest road is of the class ${quoted(text)}`],
  [
    /^Nearest (rail line|transmission line) owner$/,
    ([, thing], { text }) => `The nearest ${thing} belongs to ${quoted(text)}`,
  ],
  [/^Nearest (.+) operator$/, ([, thing], { text }) => `The nearest ${thing} is operated by ${quoted(text)}`],
  [/^Protected area manager$/, (_, { text }) => `The protected area is managed by ${quoted(text)}`],
  [/^Tree canopy$/, (_, { text }) => `Trees cover ${text} of the ground`],
  [/^Electric utility SAIDI$/, (_, { text }) => `The customers of the electric utility are without power for ${text}`],
];

/** The sentence of a value that "the … is …" would tell badly; null where that tells it well. */
export function idiomOf({ title }: Pick<Evidence, 'title'>, valued: Valued): string | null {
  for (const [pattern, idiom] of IDIOMS) {
    const match = pattern.exec(title);
    if (match) return idiom(match, valued);
  }
  return null;
}
