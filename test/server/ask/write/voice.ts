/** Most words and sentences of an answer; one of the two holds. */
const MAX_WORDS = 90;
const MAX_SENTENCES = 4;

const FAULTS: readonly (readonly [string, RegExp])[] = [
  ['a name of the catalog', /_|`/],
  ['a layer', /\b[a-z][a-z0-9]*:[A-Za-z]/],
  ['a method or path', /\b(?:GET|POST|PUT|DELETE|PATCH)\b|\/v\d|\/[a-z]+\/[a-z]/],
  ['more decimals than anybody reads', /\d\.\d{4,}/],
  ['a meter before feet', /^\D*\d[\d,.]* (?:meters|kilometers) \(\d[\d,.]* (?:feet|miles)/],
  ['a doubled word', /\b(\p{L}+) \1\b/iu],
  ['no full stop', /[^.]$/],
  ['an abbreviation of the trade', /\b(?:SFHA|NFIP|AADT|NRI|HUC12)\b/],
];

/** What the voice of an answer lacks. Text in quotation marks is its publisher's. */
export function faultsOf(answer: string): string[] {
  const own = answer.replace(/“[^”]*”/g, '…');
  const words = own.split(/\s+/).length;
  const sentences = own.split(/(?<=\.)\s+(?=\p{Lu})/u).length;
  const long = words > MAX_WORDS && sentences > MAX_SENTENCES ? [`${words} words in ${sentences} sentences`] : [];
  return [...long, ...FAULTS.flatMap(([fault, pattern]) => (pattern.test(own) ? [fault] : []))];
}
