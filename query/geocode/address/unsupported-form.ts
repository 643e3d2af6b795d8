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

/**
 * The form of an address that names no place on a street, told from its text alone.
 * @param address as typed, in any case and punctuation.
 * @returns for messages, with its article (`a post office box`); null when the text has no such form.
 */
export function unsupportedForm(address: string): string | null {
  const text = address
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[.'’*]/g, '')
    .replace(/[;\n\r]/g, ',')
    .replace(/\s+/g, ' ')
    .trim();
  return FORMS.find(({ patterns }) => patterns.some(pattern => pattern.test(text)))?.name ?? null;
}
