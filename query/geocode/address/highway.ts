import { stateOf } from './state.ts';

/** Classes of numbered roads; `any` is a road called by its number alone (`HWY 9`, `ROUTE 9`). */
type HighwayClass = 'interstate' | 'us' | 'state' | 'county' | 'farm' | 'ranch' | 'township' | 'any';

/** A numbered road. */
export interface Highway {
  readonly class: HighwayClass;
  /** `1`, `221A`, `74 BUS`, `D`. */
  readonly number: string;
  /** Publication 28, appendix F: `US HIGHWAY 1`, `COUNTY ROAD 12`, `FM 1234`. */
  readonly name: string;
}

const ROAD = '(?:HIGHWAY|HIGHWY|HIWAY|HIWY|HWAY|HWY|ROUTE|RTE|RT|ROAD|RD)';
const HIGHWAY = '(?:HIGHWAY|HIGHWY|HIWAY|HIWY|HWAY|HWY)';
const ROUTE = '(?:ROUTE|RTE|RT)';
/** `9`, `9A`, `74 BUS`; county trunk roads of Wisconsin and Missouri have letters. */
const NUMBER =
  '(?:NO |NUMBER |# ?)?(\\d+[A-Z]?|[A-Z]{1,2})( (?:ALT|ALTERNATE|BUS|BUSINESS|BYP|BYPASS|SPUR|LOOP|SCENIC|TRUCK|CONN))?';
const DIGITS = NUMBER.replace('|[A-Z]{1,2}', '');

const form = (of: HighwayClass, pattern: string, name: string) => ({ of, pattern: new RegExp(`^${pattern}$`), name });

/** Publication 28, appendix F: county, state and local highways in their many spellings. First match wins. */
const FORMS = [
  form('interstate', `(?:INTERSTATE|INTST|INT|IH|I)(?: ${HIGHWAY}| ${ROUTE})? ?${DIGITS}`, 'INTERSTATE'),
  form('us', `(?:US|U S|UNITED STATES)(?: ${ROAD})? ?${DIGITS}(?: ${HIGHWAY})?`, 'US HIGHWAY'),
  form(
    'county',
    `(?:CTH|COUNTY TRUNK(?: ${HIGHWAY})?|CO TRUNK|(?:COUNTY|CNTY|CTY|CO) ${HIGHWAY}|C H) ?${NUMBER}`,
    'COUNTY HIGHWAY',
  ),
  form('county', `(?:COUNTY|CNTY|CTY|CO) ${ROUTE} ?${NUMBER}`, 'COUNTY ROUTE'),
  form('county', `(?:CR|C R|(?:COUNTY|CNTY|CTY|CO)(?: ROAD| RD)?) ?${DIGITS}`, 'COUNTY ROAD'),
  form('county', `(?:COUNTY|CNTY|CTY|CO) (?:ROAD|RD) ?${NUMBER}`, 'COUNTY ROAD'),
  form('farm', `(?:FM|F M|FARM TO MARKET|FARM TO MKT|FARM MARKET)(?: ${ROAD})? ?${DIGITS}`, 'FM'),
  form('ranch', `(?:RM|RR|R M|RANCH TO MARKET|RANCH)(?: ${ROAD})? ?${DIGITS}`, 'RANCH ROAD'),
  form('township', `(?:TOWNSHIP|TWP|TWNSHP|TSR|TR)(?: ${ROAD})? ?${DIGITS}`, 'TOWNSHIP ROAD'),
  form('state', `(?:STATE|ST) (?:ROAD|RD) ?${DIGITS}`, 'STATE ROAD'),
  form('state', `(?:SR|S R|(?:STATE|ST) ${ROUTE}) ?${NUMBER}`, 'STATE ROUTE'),
  form('state', `(?:SH|S H|STH|(?:STATE|ST) ${HIGHWAY}) ?${NUMBER}`, 'STATE HIGHWAY'),
  form('any', `(?:${HIGHWAY}|H W Y) ?${NUMBER}`, 'HIGHWAY'),
  form('any', `${ROUTE} ?${DIGITS}`, 'ROUTE'),
  form('any', `(?:CARR|CARRETERA) ?${DIGITS}`, 'CARR'),
] as const;
const BY_STATE = new RegExp(`^([A-Z]{2}|[A-Z]{4,}(?: [A-Z]{4,})?)(?: (${ROAD}))? ?${DIGITS}(?: ${HIGHWAY})?$`);

const QUALIFIERS: Readonly<Record<string, string>> = { ALTERNATE: 'ALT', BUSINESS: 'BUS', BYPASS: 'BYP' };

/** BUSINESS 74, ALT US 221 and US BUS HWY 74 with what tells the road apart behind its number: HIGHWAY 74 BUSINESS. */
function qualifiedBehind(text: string): string {
  const found = /^(.*?)\b(ALT|ALTERNATE|BUS|BUSINESS|BYP|BYPASS) ((?:[A-Z]+ )*)(\d+[A-Z]?)( .*)?$/.exec(text);
  if (!found) return text;
  const [, front, word, road, number, end = ''] = found;
  const named = `${front}${road}`.trim();
  return `${named || 'HIGHWAY'} ${number} ${word}${end}`;
}

/**
 * Reads a numbered road (Publication 28, appendix F).
 * @param words in capitals, without directionals around it. A state's own roads may begin with it: `ME 15`, `KENTUCKY HWY 33`.
 * @returns null when the words are none.
 */
export function highwayOf(words: readonly string[]): Highway | null {
  if (words.length > 6) return null;
  // HIGHWAY 221 A is 221A; N, S, E and W are directionals.
  const joined = words.join(' ').replace(/(\d) (?=[A-DF-MO-RT-VX-Z]$)/, '$1');
  const text = qualifiedBehind(joined);
  if (!/\d|HWY|HIGHWAY|CTH|COUNTY|CTY|STATE/.test(text)) return null;
  const numbered = (of: HighwayClass, name: string, number: string, qualifier: string | undefined): Highway => {
    const word = qualifier?.trim();
    const short = word && (QUALIFIERS[word] ?? word);
    const full = short ? `${number} ${short}` : number;
    // US 221 ALT is numbered 221A on many rolls.
    return { class: of, number: short === 'ALT' && /\d$/.test(number) ? `${number}A` : full, name: `${name} ${full}` };
  };
  for (const { of, pattern, name } of FORMS) {
    const match = pattern.exec(text);
    if (match) return numbered(of, name, match[1]!, match[2]);
  }
  const own = BY_STATE.exec(text);
  if (own && stateOf(own[1]!)) {
    const name = own[2] === undefined || new RegExp(`^${ROUTE}$`).test(own[2]) ? 'STATE ROUTE' : 'STATE HIGHWAY';
    return numbered('state', name, own[3]!, own[4]);
  }
  return null;
}
