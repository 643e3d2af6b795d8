/** A name as it is compared: upper case without marks and punctuation, single blanks. */
export const plainName = (text: string): string =>
  text
    .normalize('NFKD')
    .toUpperCase()
    .replace(/[\u0300-\u036f.'’]/g, '')
    .replace(/[^A-Z0-9]+/g, ' ')
    .trim();

/** Ways of writing one word or more that make no other owner, and the form they get; in this order. */
const FORMS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:LIMITED|LTD) LIABILITY (?:COMPANY|CO|CORP|CORPORATION)\b|\bL L C\b/g, 'LLC'],
  [/\b(?:LIMITED|LTD) LIABILITY (?:PARTNERSHIP|PTNRSHP|PTSHP)\b|\bL L P\b/g, 'LLP'],
  [/\b(?:LIMITED|LTD) (?:PARTNERSHIP|PTNRSHP|PTSHP)\b|\bL P\b/g, 'LP'],
  [/\b(?:INCORPORATED|INCORP|INC)\b/g, 'INC'],
  [/\b(?:CORPORATION|CORPORATN)\b/g, 'CORP'],
  [/\bCOMPANY\b/g, 'CO'],
  [/\bLIMITED\b/g, 'LTD'],
  [/\b(?:TRUSTEES?|TRSTE?E?S?|TTEES?|TRS|TRUSTS|TRST|TR)\b/g, 'TRUST'],
  [/\bREV(?:OC)?\b/g, 'REVOCABLE'],
  [/\bIRREV(?:OC)?\b/g, 'IRREVOCABLE'],
  [/\bLIV\b/g, 'LIVING'],
  [/\bFAM\b/g, 'FAMILY'],
  [/\b(?:ASSN|ASSOC|ASSOCS|ASSC)\b/g, 'ASSOCIATION'],
  [/\bPROPS?\b|\bPROPERTY\b/g, 'PROPERTIES'],
  [/\b(?:MGMT|MGT|MNGMT)\b/g, 'MANAGEMENT'],
  [/\b(?:DEV|DEVEL|DEVELOP)\b/g, 'DEVELOPMENT'],
  [/\b(?:INVS?|INVEST|INVESTMENT|INVTS)\b/g, 'INVESTMENTS'],
  [/\bHLDGS?\b|\bHOLDING\b/g, 'HOLDINGS'],
  [/\bENTS?\b|\bENTERPRISE\b/g, 'ENTERPRISES'],
  [/\bBROS\b/g, 'BROTHERS'],
  [/\bINTL\b/g, 'INTERNATIONAL'],
  [/\b(?:NATL|NAT L)\b/g, 'NATIONAL'],
  [/\bUNIV\b/g, 'UNIVERSITY'],
  [/\bDEPT\b/g, 'DEPARTMENT'],
  [/\bTWP\b/g, 'TOWNSHIP'],
  [/\b(?:CNTY|CTY)\b/g, 'COUNTY'],
  [/\bJUNIOR\b/g, 'JR'],
  [/\bSENIOR\b/g, 'SR'],
  [/\bETUX\b/g, 'ET UX'],
  [/\bETVIR\b/g, 'ET VIR'],
  [/\bET ALS?\b|\bETALS\b/g, 'ETAL'],
  [/\b(?:C O|CARE OF)\b.*$/g, ''],
];

/** A public body behind its place, as rolls have it: BANGOR CITY OF. */
const TURNED = /^(.*) ((?:CITY|TOWN|COUNTY|STATE|VILLAGE|TOWNSHIP|INHABITANTS|UNIVERSITY) OF)$/;

const LEFT_OUT = new Set(['AND', 'THE']);

/** A name with one spelling of everything that may be written in several ways, its words in their order. */
export function ownerWords(name: string): string[] {
  const plain = FORMS.reduce((text, [pattern, form]) => text.replace(pattern, form), plainName(name));
  const words = plain.split(' ').filter(word => word !== '' && !LEFT_OUT.has(word));
  const text = words.join(' ');
  const [, place, body] = TURNED.exec(text) ?? [];
  return place === undefined ? words : `${body} ${place}`.split(' ');
}

const FORMED = new Set(FORMS.flatMap(([, form]) => form.split(' ')));

/** Whether a word of a name is written in several ways, or left out. */
export const writtenOtherwise = (word: string): boolean => FORMED.has(word) || LEFT_OUT.has(word);
