import { parseAddress } from './address.ts';

/** Box designators; O is also typed as zero. APARTADO and BUZON (BZN) are those of Puerto Rico (Publication 28, section 29). */
const BOX = '(?:BOX|BX|BUZON|BZN)';
/** A number as it follows a designator: `123`, `# 12A`, `NO. 5`. */
const NUMBER = '(?:# ?|(?:NO|NUM|NUMBER|NUMERO) )?\\d+[A-Z]?(?:-?\\d+)?';
/** Not behind a house number, a numbered road's own words, or a designator: `12400 RR 620` is Ranch Road 620 in Texas. */
const NOT_A_ROAD =
  '(?<!(?:\\d[A-Z]?|STATE|ST|COUNTY|CO|TOWN|US|U S|OLD|HIGHWAY|HWY|FARM|RANCH|NORTH|SOUTH|EAST|WEST|[NSEW]),? )';
/** Secondary designators, behind which `C012` is a unit and not a carrier route. */
const UNIT =
  '(?:#|APT|APARTMENT|UNIT|STE|SUITE|RM|ROOM|BLDG|BUILDING|SPC|SPACE|LOT|TRLR|OFC|DEPT|FL|FLOOR|NO|SLIP|PMB)';

const form = (name: string, ...patterns: readonly string[]) => ({ name, patterns: patterns.map(p => new RegExp(p)) });

/**
 * What is delivered by name of box, route or post instead of at a place on a street: Publication 28, sections 24 (rural
 * routes), 25 (highway contract routes), 26 (general delivery), 28 (PO boxes), 29 (Puerto Rico) and 22 (overseas
 * military and diplomatic); carrier routes are those of the AIS products (C city, R rural, H highway contract, B boxes,
 * G general delivery).
 */
const FORMS = [
  form(
    'an overseas military or diplomatic address (APO, FPO, DPO)',
    '\\b(?:A ?P ?O|F ?P ?O|D ?P ?O)(?= *(?:,|$|\\d|A[AEP]\\b|MIAMI\\b|NEW YORK\\b|SAN FRANCISCO\\b))',
    '\\b(?:ARMY|AIR FORCE|AIR|FLEET|DIPLOMATIC|MILITARY) POST OFFICE\\b',
    '\\bARMED FORCES,? (?:THE )?(?:AMERICAS|EUROPE|PACIFIC|AFRICA|CANADA|MIDDLE EAST)\\b',
    '\\bA(?:A,? 340|E,? 09\\d|P,? 96[2-6])\\d\\d\\b',
    `(?:^|, ?)(?:PSC|CMR) ?#? ?\\d+`,
    `\\b(?:PSC|CMR|UNIT) ?#? ?\\d+,? ${BOX} ?#? ?\\d+.*\\bA[AEP]\\b`,
  ),
  form(
    'general delivery',
    '\\bGEN(?:ERAL|L)? ?DEL(?:IVERY|IV|VRY|Y)?\\b(?! (?:AVE|ST|RD|DR|LN)\\b)',
    '\\b(?:ENTREGA GENERAL|LISTA DE CORREOS|POSTE RESTANTE)\\b',
    '^G ?D(?= *,)',
  ),
  form(
    'a highway contract route',
    '\\b(?:HIGHWAY|HWY|HIWAY|HGHWY) (?:CONTRACT|CONT|CONTR)\\b',
    `(?:^|, ?)H ?C ?R?(?:[ -]?(?:RT|RTE|ROUTE))?[ -]?${NUMBER}\\b`,
    `${NOT_A_ROAD}\\bH ?C ?R?[ -]?(?:# ?)?\\w+,? ${BOX} ?#? ?\\w`,
    `\\b(?:STAR|STR) (?:ROUTE|RTE|RT)(?= ?(?:#|\\d|[A-Z]\\b|,? ${BOX}\\b|,|$))(?<!\\d STAR R(?:OUTE|TE|T))`,
  ),
  form(
    'a rural route',
    '\\bRURAL (?:FREE )?(?:ROUTE|RTE|RT|DELIVERY|RD)(?= *(?:#|\\d|NO\\b|[A-Z]\\b|,|$))',
    `(?<!\\d[A-Z]?,? )\\b(?:R ?R|R ?F ?D|RUR RT)[ -]?${NUMBER}\\b`,
    `^R ?D ?${NUMBER}\\b`,
    `${NOT_A_ROAD}\\b(?:RR|R R|RFD|RD|RT|RTE|ROUTE|R) ?${NUMBER},? ${BOX} ?#? ?\\w`,
    `\\b(?:RR|RFD|RURAL ROUTE) ?${NUMBER},? ${BOX}\\b`,
    `\\b(?:RURAL )?(?:ROUTE|RTE|RT|RR) ${BOX} ?${NUMBER}`,
  ),
  form(
    'a post office box',
    // P.O. Box, POB 12, P O Bx, PO#12, P.O. Drawer, Post Office Box.
    `\\b(?:P[ /-]?[O0]|POST ?OFFICE|POST|POSTAL|MAILING)[ /-]?(?:B[O0]X|BX|DRAWER|DRWR|LOCK ?BOX|BIN)(?= *(?:#|\\d|NO\\b|NUM|[A-Z]\\b|,|$))`,
    `\\bP[ /-]?[O0][ -]?B[ ,]*(?:# ?)?\\d`,
    `\\bP[ /-]?[O0] ?# ?\\d`,
    // BIN 73 WINE BAR, 73 HARLOW ST is who receives it.
    `^(?:[^\\d]*, ?)?(?:BOX|BX|FIRM CALLER|CALLER(?: BOX| SERVICE)?|DRAWER|DRWR|BIN) ?${NUMBER}(?= *(?:,|$|[A-Z](?!.*, ?\\d+[A-Z]? [A-Z\\d])))`,
    `\\bLOCK ?BOX ?${NUMBER}(?= *(?:,|$|[A-Z]))`,
    `\\bAPARTADO(?: POSTAL)? ?(?:${NUMBER}|,|$)`,
  ),
  form(
    'a carrier route',
    '\\bCAR(?:RIER)?[ -]?(?:ROUTE|RTE|RT)(?= *(?:SORT|PRESORT|#|[CRHBG]?\\d|,|$))',
    '\\bECR(?:WSS|WSH|LOT)\\b',
    `(?<!${UNIT} ?)(?<!-)\\b[CRHBG]-?0\\d\\d\\b`,
    '^[CRHBG]-?\\d{3}(?= *(?:,|$))',
  ),
] as const;

/** A form of address that names no place on a street, in words for a message. */
export interface UnsupportedForm {
  /** With its article: `a post office box`. */
  readonly form: string;
  /** What can be asked for instead. */
  readonly remedy: string;
}

/** The first words of a text that have an unsupported form. */
function formIn(text: string): { readonly name: string; readonly start: number; readonly words: string } | null {
  for (const { name, patterns } of FORMS)
    for (const pattern of patterns) {
      const found = pattern.exec(text);
      if (found) return { name, start: found.index, words: found[0] };
    }
  return null;
}

/** What is left of a text without its boxes and routes and their numbers. */
function withoutForms(text: string): string {
  const found = formIn(text);
  if (!found) return text;
  const { start, words } = found;
  const number = /\d/.test(words) ? /^[\w-]*/ : /^[\w-]*(?: ?(?:#|NO|NUM|NUMBER)? ?\d[\w-]*)?/;
  const behind = text.slice(start + words.length).replace(number, '');
  return withoutForms(`${text.slice(0, start)} ${behind}`.trim());
}

/** The street address beside a box or route: a number and a street of a known type; null where there is none. */
function streetBeside(text: string): string | null {
  const pieces = text.split(',').map(piece => withoutForms(piece.trim()).replace(/ +/g, ' '));
  const street = pieces.filter(Boolean).join(', ');
  const isStreet = parseAddress(street).located.some(({ readings }) =>
    readings.some(
      reading => reading.number !== null && (reading.street?.suffix ?? reading.street?.highway ?? null) !== null,
    ),
  );
  return isStreet && formIn(street) === null ? street : null;
}

/**
 * The form of an address that names no place on a street, told from its text alone.
 * @param address as typed, in any case and punctuation.
 * @returns null when the text has no such form.
 */
export function unsupportedForm(address: string): UnsupportedForm | null {
  const text = address
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[.'’*]/g, '')
    .replace(/[;\n\r]/g, ',')
    .replace(/\s+/g, ' ')
    .trim();
  const found = formIn(text);
  if (!found) return null;
  const street = streetBeside(text);
  const remedy =
    street === null
      ? 'send a street address, or coordinates where they are taken'
      : `send its street part alone, ${street}`;
  return { form: found.name, remedy };
}
