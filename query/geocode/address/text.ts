import { ordinal } from './ordinal.ts';
import { withNote } from './relation.ts';

const FRACTIONS: Readonly<Record<string, string>> = { 2: '1/4', 5: '1/2', 7: '3/4' };
/** Two house numbers written as a range in words or signs: 1229 to 1231, 1229/1231, 1229 & 1231. 1/2 is none. */
const PAIR =
  /(?<=^\s*|, *)(\d+[A-Z]?)(?: +(?:TO|THRU|THROUGH|AND|OR) +| *(?:&|\/) *)(?<!\b\d\/(?=[2348]\b))(\d+[A-Z]?)(?= +[A-Z\d])/g;

/** Two numbers in front of a street of which either may be its unit: #5 #42, NO 5 NO 42, 42,5. */
const TWO_NUMBERS =
  /(?<=^\s*)(?:(?:#|N(?:O|R|UM|UMBER)\b\.?) *(?=\d+ +(?:#|N))|(?=\d+,\d))(\d+)(?:,| +(?:#|N(?:O|R|UM|UMBER)\b\.?) *)(\d+)(?= +[A-Z])/;

/** Letters that no decomposition brings to the alphabet. */
const LETTERS: Readonly<Record<string, string>> = { Ø: 'O', Æ: 'AE', Œ: 'OE', Ł: 'L', Đ: 'D', Ð: 'D', Þ: 'TH' };
/** Apostrophes of any kind: KA‘AHUMANU, O’NEIL. */
const APOSTROPHE = /[\u00B4\u02B9-\u02BD\u2018-\u201F\u2032\u2033]/;

/** A character beyond ASCII as the words of an address have it: digits of any script are digits, and no letter is left out unseen. */
function plainLetter(character: string): string {
  if (APOSTROPHE.test(character)) return "'";
  const letters = LETTERS[character];
  if (letters !== undefined) return letters;
  if (/\p{Nd}/u.test(character)) return digitOf(character);
  return /\p{L}/u.test(character) ? 'Q' : character;
}

/** A decimal digit of any script: each script has its ten in a row, nought first. */
function digitOf(character: string): string {
  const code = character.codePointAt(0)!;
  let digit = 0;
  while (digit < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - digit - 1))) digit++;
  return String(digit);
}

/** A text in capitals of the alphabet, its fractions written out. */
function plain(address: string): string {
  return (
    address
      // 12½ is 12 1/2, not 121 and a slash.
      .replace(/(?<=\d)\s*(?=[\u00BC-\u00BE\u2150-\u215E])/g, ' ')
      // 42² is rather 42 with a note than 422, and 42º no 420.
      .replace(/(?<=\d)(?=[\u00B2\u00B3\u00B9\u2070-\u2079\u2080-\u2089])/g, '-')
      .replace(/(?<=\d)[\u00AA\u00BA]/g, '')
      .replace(/\p{Cf}+/gu, '')
      .normalize('NFKD')
      .replace(/\u2044/g, '/')
      .replace(/\p{M}+/gu, '')
      .toUpperCase()
      .replace(/[^\0-\x7F]/gu, plainLetter)
  );
}

/** What a form's fields are called in front of their values. */
const FIELD =
  /\b(?:STREET(?: ADDRESS)?|ADDR(?:ESS)?(?: LINE)?(?: \d)?|CITY|TOWN|COUNTY|STATE|ZIP(?: ?CODE)?|POSTAL ?CODE|COUNTRY)"?\s*:/g;
/** A text that begins with such a field, so that FOREST CITY: 73 HARLOW ST is none. */
const FORM = /^\W*(?:STREET|ADDR)[A-Z\d ]*"?:/;

/** The values of a form's fields, commas between them. */
const withoutFields = (text: string): string => (FORM.test(text) ? text.replace(FIELD, ', ') : text);

/** A text of an address that is written otherwise; it is left as it is where it has none of the signs that the rule is about. */
interface Rule {
  /** Null for a rule about words and numbers, which any text has. */
  readonly signs: readonly string[] | null;
  readonly written: (text: string) => string;
}

type Replacement = string | Parameters<string['replace']>[1];

function rule(signs: string | null, pattern: RegExp, by: Replacement): Rule {
  return { signs: signs === null ? null : [...signs], written: text => text.replace(pattern, by as string) };
}

/** How addresses are written alike, in this order. */
const RULES: readonly Rule[] = [
  rule('&', /&(?:NBSP|#160);/g, ' '),
  rule('&', /&AMP;/g, '&'),
  rule('<', /<\/?[A-Z][^<>]*>/g, ', '),
  rule(':', /^[\s\S]*$/, withoutFields),
  // A table writes 73.0 and 1,073 for its numbers; of 1.2E+03 nobody knows which it was.
  rule('+', /\b\d+(?:\.\d+)?E\+\d+\b/g, '0'),
  rule('.', /(?<=(?:^|[\s,])\d+)\.0+(?=[\s,]|$)/g, ''),
  rule(',', /^(\s*\d{1,3}),(?=\d{3} (?:[A-Z]|\d+(?:ST|ND|RD|TH)\b)[^,]*, )/, '$1'),
  // N.W. is one word; a point inside a number stays, which makes it no number.
  rule('.', /\b([NS])\.\s?([EW])\.?(?=[\s,]|$)/g, '$1$2'),
  rule('.', /(?<=\d)\.{2,}(?=\d)/g, '-'),
  rule('.', /(?<!\d)\.|\.(?!\d)/g, ' '),
  // 7| and 7! end in a sign for the digit that it looks like, or in none: as open as 7I. So 14|4 is as 14I4; of several | none is.
  rule('|!', /^(\s*\d+)[|!](?=(?:\d|\s+[A-Z\d])[^|]*$)|^(\s*)\|(?=\d[^|]*$)/, '$1$2I'),
  // 120-A5 and A5-120 HUDSON RD: what has letters is the unit.
  rule('-', /^(\s*)(?:(\d+)-([A-Z]\d+)|([A-Z]\d{1,3})-(\d+))(?= +[A-Z\d])/, (_, blank: string, ...parts: string[]) => {
    const [house, unit, first, second] = parts;
    return `${blank}${house ?? second} #${unit ?? first}`;
  }),
  // 42_5, 42:5 and #5 #42 are as open as 42-5: a sign that is left out would leave 42 out or make 425 of it.
  rule(null, /(?<=\d) *[^A-Z\d\s,;&/.#()[\]|-]+ *(?=\d)(?!\d+(?:ST|ND|RD|TH)\b)/g, '-'),
  rule(null, TWO_NUMBERS, '$1-$2'),
  rule('\'`"', /['`"]/g, ''),
  rule(';\n\r\t|()[]', /[;\n\r\t|()[\]]/g, ','),
  // 42.5 is 42 1/2, and so is what a roll runs into its street: 4452 MACARTHUR BLVD1/2 NW.
  rule('.', /(?<=(?:^|[\s,])\d+)\.(?=(?:25|50?|75)\b)/g, ' .'),
  rule('.', /(?<= )\.(25|50?|75)\b/g, (_, part: string) => FRACTIONS[part[0]!]!),
  rule('/', /(?<=[A-Z])(?=\d\/\d\b)/g, ' '),
  // UNIT A/B is one unit, and no crossing.
  rule('/', /\b((?:UNIT|APT|STE|SUITE) [A-Z])\/[A-Z]\b/g, '$1'),
  // 302 BURLEIGH RD / BANGOR: behind a house number a slash between blanks parts lines, and joins no crossing.
  rule('/', /^\s*\d.*[A-Z] \/ .*/, text => text.replaceAll(' / ', ', ')),
  // C/O is who receives it, C/ SOL is Calle Sol.
  rule('/', /\bC\/ ?O\b/g, 'CARE OF'),
  // 73 HARLOW ST ATTN BOB: who receives it stands behind a street too.
  rule(',', / (?:ATTN|ATTENTION|CARE OF)\b[A-Z :]+(?=,)/g, (words, at: number, text: string) =>
    /\d[^,]*$/.test(text.slice(0, at)) ? '' : words,
  ),
  rule(null, /^[\s\S]*$/, withNote),
  // 14 TH ST is 14TH ST, and 3 RD AVE is 3RD AVE.
  rule(null, /\b(\d+) (TH|RD|ND)(?= [A-Z])/g, (words, digits: string, ending: string) =>
    ordinal(Number(digits)) === digits + ending ? digits + ending : words,
  ),
  // APT 3/253 HOWARD ST and A/27 MANNERS AVE: the slash parts the unit from the number.
  rule(
    '/',
    /^(\s*(?:(?:APT|APARTMENT|UNIT|STE|SUITE|RM|ROOM|FL|#) ?\d*[A-Z]?|\d*[A-Z]))\/(?=\d+[A-Z]? [A-Z])/,
    (_, unit: string) => (/^\s*\d*[A-Z]$/.test(unit) ? `APT ${unit}, ` : `${unit}, `),
  ),
  rule('/', /\bC\/ ?(?=[A-Z\d])/g, 'CALLE '),
  // HAMMOND ST W/ UNION ST, HAMMOND ST + UNION ST; W/O is no crossing.
  rule('/+', /(?<=[A-Z] )W\/ ?(?!O\b)(?=[A-Z\d])|(?<=[A-Z]) ?\+ ?(?=[A-Z\d])/g, ' & '),
  rule('/', /(?<=[A-Z]) ?\/ ?(?=[A-Z\d])|(?<=^[A-Z][^,]*[A-Z][ -]?\d{1,3}) ?\/ ?(?=[A-Z]{2})/g, ' & '),
  rule('@', /[@]/g, ' AT '),
  rule('&', /&+/g, ' & '),
  rule('#', /#+\s*/g, ' #'),
  rule('-–—', /(?<=\d) *[-–—] *(?=\d)/g, '-'),
  rule(null, PAIR, '$1-$2'),
  rule('-', /(?<=\d)-(?=\d\/\d\b)/g, ' '),
  rule('-', /(?<=\d)-(?=[A-Z]\b)/g, ''),
  // 73 HARLOW ST - BANGOR: a dash between blanks parts an address as a comma does, where none stands before it.
  rule('-–—', /^[^,]*?[A-Z] [-–—]+ (?=[A-Z#])[^,]*/, text => text.replace(/(?<=[A-Z]) [-–—]+ (?=[A-Z#\d])/g, ', ')),
  rule('-–—', /(?<!\d)[-–—]|[-–—](?!\d)/g, ' '),
  // 73HARLOW ST lacks a blank.
  rule(null, /(?<=(?:^|,)\s*\d+)(?=[A-Z]{3})/g, ' '),
  rule(null, /[^A-Z\d,#&/.\- ]/g, ' '),
];

/**
 * An address as words in capitals: diacritics and full stops dropped, hyphens and slashes kept inside numbers only,
 * commas, semicolons and line ends as `,`, crossing signs as `&`.
 */
export function capitals(address: string): string {
  let text = /[^\0-\x7F]/.test(address) ? plain(address) : address.toUpperCase();
  for (const { signs, written } of RULES)
    if (signs === null || signs.some(sign => text.includes(sign))) text = written(text);
  return text
    .replace(/\s*,[\s,]*/g, ', ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^,\s*|,$/g, '')
    .trim();
}
