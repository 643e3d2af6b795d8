/** The parts of a field's definition that name it in a sentence. */
interface Titled {
  readonly title: string;
  readonly unit?: string | null;
}

/** Proper names in titles, which keep their capital. */
const PROPER = /^(?:Great Lakes|Koppen|Quaternary|Superfund)/;

/** A title as part of a sentence: first letter small, unless it begins a name or an abbreviation. */
export function inSentence(title: string): string {
  const [first = ''] = title.split(/[\s-]/);
  const keeps = PROPER.test(title) || /\p{Lu}.*\p{Lu}/u.test(first) || /\d/.test(first);
  return keeps ? title : title[0]!.toLowerCase() + title.slice(1);
}

/** Radii of titles and words in the units that people of the country think in, with two digits or as a part of a mile. */
const RADII: Readonly<Record<string, string>> = {
  '100 m': '330 feet',
  '500 m': '1,600 feet',
  '800 m': 'half a mile',
  '1 km': '0.62 miles',
  '5 km': '3.1 miles',
  '10 km': '6.2 miles',
  '25 km': '16 miles',
  '40 km': '25 miles',
  '50 km': '31 miles',
  '100 km': '62 miles',
};

/** A text with the radius in it in feet or miles. */
export const inMiles = (text: string): string =>
  text.replace(/(within|in) (\d+ k?m)\b/, (all, word: string, radius: string) =>
    radius in RADII ? `${word} ${RADII[radius]!}` : all,
  );

/** Catalog titles put the subject first; sentences put it last. They also use words that only the trade knows. */
const TURNED: readonly (readonly [RegExp, string])[] = [
  [/^NFIP claims in tract$/, 'flood insurance claims in the tract'],
  [/^SFHA fraction\b/, 'share of special flood hazard areas'],
  [/\bSFHA\b/, 'special flood hazard area'],
  [/\b(N|n)earest flowline\b/, '$1earest stream'],
  [/^FEMA flood zone subtype$/, 'kind of flood zone'],
  [/^Wetland fraction of parcel$/, 'share of wetland on the parcel'],
  [/^Wetland fraction\b/, 'share of wetland'],
  [/^Land cover (\w+) fraction\b/, 'share of $1 land'],
  [/^Land cover class$/, 'land cover'],
  [/^Dominant land cover class\b/, 'dominant land cover'],
  [/^NRI risk score$/, 'natural hazard risk score of the tract'],
  [/^NRI expected annual loss$/, 'yearly loss to natural hazards that is expected in the tract'],
  [/^NRI (.+) expected annual loss$/, 'yearly loss to $1 that is expected in the tract'],
  [/^Soil linear extensibility percent$/, "soil's linear extensibility"],
  [/^Soil (?!map|survey)(.+)$/, "soil's $1"],
  [/\bdepth to (bedrock|water table)$/, 'depth to the $1'],
  [/^Seismic PGA\b/, 'peak ground acceleration of an earthquake'],
  [/^Timezone$/, 'time zone'],
  [/^Tract GEOID$/, 'census tract'],
  [/^Parcel APN$/, 'parcel number'],
  [/^Flood map effective date$/, 'effective date of the flood map'],
  [/^(Nearest) TRI facility\b/, '$1 toxic release facility'],
  [/\bSAIDI$/, 'interruption time (SAIDI)'],
  [/^NRI (.+) (score|rating)$/, '$1 $2 of the tract'],
  [/^Parcel (?!APN|match)(.+)$/, "parcel's $1"],
  [/^(Onsite solar potential), (.+)$/, '$1 ($2)'],
  [/^Nearest road AADT$/, 'traffic on the nearest road'],
  [/^HUC12 subwatershed name$/, 'subwatershed'],
  [/^HUC12 subwatershed\b/, 'subwatershed'],
  [/\butility solar$/, 'utility solar plant'],
  [/^POI\b/, 'point of interest'],
  [/ \((?:degrees|percent|cardinal direction)\)$/, ''],
  [/^Winter mean min temperature$/, 'average low temperature in winter'],
  [/^Summer mean max temperature$/, 'average high temperature in summer'],
  [/^Solar (GHI|DNI)$/, 'sunlight ($1)'],
  [/^Fuel model \(FBFM40\)$/, 'kind of fuel for a fire (FBFM40)'],
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
  [/\b(to|above) nearest\b/, '$1 the nearest'],
];
/** Statistics of an area, written as a possessive. */
const OF_AREA = /\b(County|Tract) (?=(?:average|median|population|employment|housing|owner|net|house|building)\b)/i;

/** A title as the subject of a sentence, without a repeated unit in brackets. */
export function subjectOf({ title }: Titled): string {
  let said = title;
  for (const [pattern, turned] of TURNED) said = said.replace(pattern, turned);
  // The order of a flowline is its stream order.
  said = said.replace(/\b(\p{L}+) \1\b/giu, '$1');
  return `the ${inSentence(inMiles(said)).replace(OF_AREA, (_, area: string) => `${area.toLowerCase()}'s `)}`;
}

/** Whether a subject is plural. */
export const isPlural = (subject: string): boolean =>
  /\b(?:days (?:above|below) \S+ \S+|degree days|acres on)\b/.test(subject);

const COUNTED = /^(.+?) count\b(.*)$/;

/** The singular of an English plural, by its last letters. */
const singularOf = (plural: string): string =>
  /(?:[sx]|[cs]h)es$/.test(plural)
    ? plural.slice(0, -2)
    : /[^aeiou]ies$/.test(plural)
      ? `${plural.slice(0, -3)}y`
      : plural.replace(/s$/, '');

/** What a count counts, and where. */
interface Counted {
  readonly thing: string;
  /** In the plural. */
  readonly things: string;
  readonly where: string;
}

/**
 * What a count counts: of a title with the word "count" what stands before it, of any other whose unit is `count` what it names in the
 * plural ("Public benches within 500 m"). Null when nothing is counted.
 */
export function thingsOf({ title, unit }: Titled): Counted | null {
  const match = COUNTED.exec(title);
  if (!match && unit === 'count') {
    const said = inSentence(title)
      .replace(/^number of /, '')
      .replace(/^NFIP claims\b/, 'flood insurance claims')
      .replace(/ in tract$/, ' in the tract')
      .replace(/, ten years$/, ' in ten years');
    const [things = said, where = ''] = said
      .split(/ (?=within |in |with )/)
      .reduce<string[]>((pair, piece) => (pair.length === 0 ? [piece] : [pair[0]!, `${pair[1] ?? ''} ${piece}`]), []);
    return { thing: singularOf(things), things, where };
  }
  if (!match) return null;
  const thing = inSentence(match[1]!)
    .replace(/^POI$/, 'point of interest')
    .replace(/\bqueue active project$/, 'active queue project');
  const things = /^point of interest$/.test(thing)
    ? 'points of interest'
    : /(?:facility)$/.test(thing)
      ? thing.replace(/y$/, 'ies')
      : `${thing}s`;
  return { thing, things, where: match[2]! };
}
