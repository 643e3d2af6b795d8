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

/**
 * An address as words in capitals: diacritics and full stops dropped, hyphens and slashes kept inside numbers only,
 * commas, semicolons and line ends as `,`, crossing signs as `&`.
 */
export function capitals(address: string): string {
  return (
    (/[^\0-\x7F]/.test(address) ? plain(address) : address.toUpperCase())
      .replace(/&(?:NBSP|#160);/g, ' ')
      .replace(/&AMP;/g, '&')
      .replace(/<\/?[A-Z][^<>]*>/g, ', ')
      .replace(/^[\s\S]*$/, withoutFields)
      // A table writes 73.0 and 1,073 for its numbers; of 1.2E+03 nobody knows which it was.
      .replace(/\b\d+(?:\.\d+)?E\+\d+\b/g, '0')
      .replace(/(?<=(?:^|[\s,])\d+)\.0+(?=[\s,]|$)/g, '')
      .replace(/^[^\dA-Z#]*(\d{1,3}),(?=\d{3} (?:[A-Z]|\d+(?:ST|ND|RD|TH)\b)[^,]*, )/, '$1')
      // 1'805, 1…805: a sign in front of three digits may part thousands, or a unit from its house: as open as 1 805.
      .replace(
        /^([^\dA-Z#]*\d{1,3})(?:[^A-Z\d\s,;&/#()[\]|.-]|\.{2,})(?=(\d{3}) +[A-Z\d])/,
        (_, first: string, three: string) => (three.startsWith('0') ? first : `${first} `),
      )
      // N.W. is one word; a point inside a number stays, which makes it no number.
      .replace(/\b([NS])\.\s?([EW])\.?(?=[\s,]|$)/g, '$1$2')
      .replace(/(?<=\d)\.{2,}(?=\d)/g, '-')
      .replace(/(?<!\d)\.|\.(?!\d)/g, ' ')
      // 7| and 7! end in a sign for the digit that it looks like, or in none: as open as 7I. So 14|4 is as 14I4; of several | none is.
      .replace(/^(\s*\d+)[|!](?=(?:\d|\s+[A-Z\d])[^|]*$)|^(\s*)\|(?=\d[^|]*$)/, '$1$2I')
      // 120-A5 and A5-120 HUDSON RD: what has letters is the unit.
      .replace(
        /^(\s*)(?:(\d+)-([A-Z]\d+)|([A-Z]\d{1,3})-(\d+))(?= +[A-Z\d])/,
        (_, blank: string, ...parts: string[]) => {
          const [house, unit, first, second] = parts;
          return `${blank}${house ?? second} #${unit ?? first}`;
        },
      )
      // 42_5, 42:5 and #5 #42 are as open as 42-5: a sign that is left out would leave 42 out or make 425 of it.
      .replace(/(?<=\d) *[^A-Z\d\s,;&/.#()[\]|-]+ *(?=\d)(?!\d+(?:ST|ND|RD|TH)\b)/g, '-')
      .replace(TWO_NUMBERS, '$1-$2')
      .replace(/['`"]/g, '')
      .replace(/[;\n\r\t|()[\]]/g, ',')
      // 42.5 is 42 1/2, and so is what a roll runs into its street: 4452 MACARTHUR BLVD1/2 NW.
      .replace(/(?<=(?:^|[\s,])\d+)\.(?=(?:25|50?|75)\b)/g, ' .')
      .replace(/(?<= )\.(25|50?|75)\b/g, (_, part: string) => FRACTIONS[part[0]!]!)
      .replace(/(?<=[A-Z])(?=\d\/\d\b)/g, ' ')
      // UNIT A/B is one unit, and no crossing.
      .replace(/\b((?:UNIT|APT|STE|SUITE) [A-Z])\/[A-Z]\b/g, '$1')
      // 302 BURLEIGH RD / BANGOR: behind a house number a slash between blanks parts lines, and joins no crossing.
      .replace(/^\s*\d.*[A-Z] \/ .*/, text => text.replaceAll(' / ', ', '))
      // C/O is who receives it, C/ SOL is Calle Sol.
      .replace(/\bC\/ ?O\b/g, 'CARE OF')
      // 73 HARLOW ST ATTN BOB: who receives it stands behind a street too.
      .replace(/ (?:ATTN|ATTENTION|CARE OF)\b[A-Z :]+(?=,)/g, (words, at: number, text: string) =>
        /\d[^,]*$/.test(text.slice(0, at)) ? '' : words,
      )
      .replace(/^[\s\S]*$/, withNote)
      // 14 TH ST is 14TH ST, and 3 RD AVE and 3-RD AVE are 3RD AVE.
      .replace(/\b(\d+)(?: (?=[TRN])|-)(ST|ND|RD|TH)(?= [A-Z])/g, (words, digits: string, ending: string) =>
        ordinal(Number(digits)) === digits + ending ? digits + ending : words,
      )
      // APT 3/253 HOWARD ST and A/27 MANNERS AVE: the slash parts the unit from the number.
      .replace(
        /^(\s*(?:(?:APT|APARTMENT|UNIT|STE|SUITE|RM|ROOM|FL|#) ?\d*[A-Z]?|\d*[A-Z]))\/(?=\d+[A-Z]? [A-Z])/,
        (_, unit: string) => (/^\s*\d*[A-Z]$/.test(unit) ? `APT ${unit}, ` : `${unit}, `),
      )
      .replace(/\bC\/ ?(?=[A-Z\d])/g, 'CALLE ')
      // HAMMOND ST W/ UNION ST, HAMMOND ST + UNION ST; W/O is no crossing.
      .replace(/(?<=[A-Z] )W\/ ?(?!O\b)(?=[A-Z\d])|(?<=[A-Z]) ?\+ ?(?=[A-Z\d])/g, ' & ')
      .replace(/(?<=[A-Z]) ?\/ ?(?=[A-Z\d])|(?<=^[A-Z][^,]*[A-Z][ -]?\d{1,3}) ?\/ ?(?=[A-Z]{2})/g, ' & ')
      .replace(/[@]/g, ' AT ')
      .replace(/&+/g, ' & ')
      .replace(/#+\s*/g, ' #')
      .replace(/(?<=\d) *[-–—] *(?=\d)/g, '-')
      .replace(PAIR, '$1-$2')
      .replace(/(?<=\d)-(?=\d\/\d\b)/g, ' ')
      .replace(/(?<=\d)-(?=[A-Z]\b)/g, '')
      // 73 HARLOW ST - BANGOR: a dash between blanks parts an address as a comma does, where none stands before it.
      .replace(/^[^,]*?[A-Z] [-–—]+ (?=[A-Z#])[^,]*/, text => text.replace(/(?<=[A-Z]) [-–—]+ (?=[A-Z#\d])/g, ', '))
      .replace(/(?<!\d)[-–—]|[-–—](?!\d)/g, ' ')
      // 73HARLOW ST lacks a blank.
      .replace(/(?<=(?:^|,)\s*\d+)(?=[A-Z]{3})/g, ' ')
      .replace(/[^A-Z\d,#&/.\- ]/g, ' ')
      .replace(/\s*,[\s,]*/g, ', ')
      .replace(/\s+/g, ' ')
      .trim()
      .replace(/^,\s*|,$/g, '')
      .trim()
  );
}
