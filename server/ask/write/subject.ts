/** The parts of a field's definition that name it in a sentence. */
interface Titled {
  readonly title: string;
}

/** Proper names in titles, which keep their capital. */
const PROPER = /^(?:Great Lakes|Koppen|Quaternary|Superfund)/;

/** A title as part of a sentence: first letter small, unless it begins a name or an abbreviation. */
export function inSentence(title: string): string {
  const [first = ''] = title.split(/[\s-]/);
  const keeps = PROPER.test(title) || /\p{Lu}.*\p{Lu}/u.test(first) || /\d/.test(first);
  return keeps ? title : title[0]!.toLowerCase() + title.slice(1);
}

/** Catalog titles put the subject first; sentences put it last. */
const TURNED: readonly (readonly [RegExp, string])[] = [
  [/ \((?:degrees|percent|cardinal direction)\)$/, ''],
  [/^Electricity rate (.+)$/, '$1 electricity rate'],
  [/^Broadband max (.+)$/, 'maximum $1 speed'],
  [/^Rainfall (\S+) (\S+)$/, '$2 rainfall of a $1 storm'],
  [/^(Wind speed) (\d+ m)$/, '$1 at $2'],
  [/^County building permits (.+) annual$/, 'yearly number of $1 building permits of the county'],
  [/^County queue (active|solar|storage)$/, "$1 capacity in the county's interconnection queue"],
  [/^(.+), (year-over-year change)$/, '$2 of the $1'],
  [/^County population growth, one year$/, "one-year growth of the county's population"],
  [/^(.+), (mid-century|category \d)$/, '$1 ($2)'],
  [/^(Seismic PGA), (.+)$/, '$1 ($2)'],
  [/^(.+) withdrawal \(HUC12\)$/, '$1 withdrawal of the HUC12 subwatershed'],
  [/^(.+) \((HUC12)\)$/, '$1 of the $2 subwatershed'],
  [
    /^(Nearest .+|Electric utility|Gas utility|County|State|Soil map unit|Urban area|.*school district|.*area|.*system|Tribal land|CBSA|HUC12 subwatershed|County subdivision) name$/,
    '$1',
  ],
];
/** Statistics of an area, written as a possessive. */
const OF_AREA = /\b(County|Tract) (?=(?:average|median|population|employment|housing|owner|net|house)\b)/i;

/** A title as the subject of a sentence, without a repeated unit in brackets. */
export function subjectOf({ title }: Titled): string {
  let said = title;
  for (const [pattern, turned] of TURNED) said = said.replace(pattern, turned);
  return `the ${inSentence(said).replace(OF_AREA, (_, area: string) => `${area.toLowerCase()}'s `)}`;
}

/** Whether a subject is plural. */
export const isPlural = (subject: string): boolean =>
  /\b(?:days (?:above|below) \S+ \S+|degree days|acres on)\b/.test(subject);

const COUNTED = /^(.+?) count\b(.*)$/;
const SEVERAL = /^(?:NFIP claims in tract|Magnitude 4\+ earthquakes|County disaster declarations)/;

/** What a count counts, in the plural, and where; null when the title names no count. */
export function thingsOf({ title }: Titled): { readonly things: string; readonly where: string } | null {
  if (SEVERAL.test(title)) {
    const said = inSentence(title)
      .replace(/ in tract$/, ' in the tract')
      .replace(/, ten years$/, ' in ten years');
    const [things = said, where = ''] = said
      .split(/ (?=within |in )/)
      .reduce<string[]>((pair, piece) => (pair.length === 0 ? [piece] : [pair[0]!, `${pair[1] ?? ''} ${piece}`]), []);
    return { things, where };
  }
  const match = COUNTED.exec(title);
  if (!match) return null;
  const thing = inSentence(match[1]!)
    .replace(/^POI$/, 'point of interest')
    .replace(/\bqueue active project$/, 'active queue project');
  const things = /^point of interest$/.test(thing)
    ? 'points of interest'
    : /(?:facility)$/.test(thing)
      ? thing.replace(/y$/, 'ies')
      : `${thing}s`;
  return { things, where: match[2]! };
}
