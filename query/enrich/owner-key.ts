import type { Value } from '../../datasets/dataset.ts';
import { plainName } from '../format/name/owner-words.ts';

/** Ways of writing the words that tell a company, trust or further owners from a name, and the one form they get. */
const SUFFIXES: readonly (readonly [RegExp, string])[] = [
  [/\bLIMITED LIABILITY (?:COMPANY|CO)\b|\bL L C\b/g, 'LLC'],
  [/\bLIMITED LIABILITY PARTNERSHIP\b|\bL L P\b/g, 'LLP'],
  [/\bLIMITED PARTNERSHIP\b|\bL P\b/g, 'LP'],
  [/\bINCORPORATED\b/g, 'INC'],
  [/\bCORPORATION\b/g, 'CORP'],
  [/\bCOMPANY\b/g, 'CO'],
  [/\bLIMITED\b/g, 'LTD'],
  [/\b(?:TRUSTEES?|TRS|TRUSTS|TRST|TR)\b/g, 'TRUST'],
  [/\bET ALS?\b|\bETALS\b/g, 'ETAL'],
];

/** Words that only companies, trusts and associations have in their names; public bodies are compared by name alone. */
const COMPANY =
  /\b(?:LLC|LLP|LP|INC|CORP|CO|LTD|TRUST|PLC|BANK|ASSOCIATION|ASSOCIATES|PARTNERS|PARTNERSHIP|PROPERTIES|REALTY|HOLDINGS)\b/;

/** Names that stand for none: the publisher knows the owner and does not say. */
const WITHHELD =
  /^(?:(?:OWNER|NAME|INFORMATION|NOT|IS|BY|LAW|REQUEST|UNDER|PER) )*(?:WITHHELD|CONFIDENTIAL|REDACTED|SUPPRESSED|PROTECTED|UNKNOWN|UNAVAILABLE|AVAILABLE|DISCLOSED|NONE|N A|NA|OWNER)(?: (?:OWNER|NAME|INFORMATION|BY|LAW|REQUEST|PER|STATUTE))*$/;

const suffixed = (text: string): string =>
  SUFFIXES.reduce((out, [pattern, form]) => out.replace(pattern, form), plainName(text));

/**
 * The name of an owner where it may be shown to whoever looks for names: null where the row has none or its publisher withholds
 * it. What names an owner that was not asked for by its parcel goes by this function alone.
 */
export const shownOwner = (owner: Value | undefined): string | null =>
  typeof owner === 'string' && ownerKey(owner) !== null ? owner.trim() : null;

/** Whether an owner key is of a company or trust and not of persons. */
export const isCompany = (key: string): boolean => COMPANY.test(key);

/**
 * The form in which owners are compared: upper case, no punctuation, single blanks, company suffixes in one spelling; of
 * two personal names joined by `&`, `AND`, `+`, `/` or `;` the order does not matter.
 * @returns null when the owner is empty or withheld.
 */
export function ownerKey(owner: Value | undefined): string | null {
  if (typeof owner !== 'string') return null;
  const whole = suffixed(owner);
  if (!whole || WITHHELD.test(whole)) return null;
  const parts = owner
    .split(/&|\+|\/|;|\band\b/i)
    .map(suffixed)
    .filter(Boolean);
  if (parts.length !== 2 || isCompany(whole)) return whole.replace(/ AND /g, ' ');
  return parts.sort().join(' AND ');
}

/** The whole mailing address as it is compared; null unless line, city and state are all there. */
export function mailingKey(properties: Readonly<Record<string, Value>>): string | null {
  const { mailadd, mail_address2, mail_city, mail_state2, mail_zip } = properties;
  if (![mailadd, mail_city, mail_state2].every(part => typeof part === 'string' && plainName(part))) return null;
  const zip = String(mail_zip ?? '').slice(0, 5);
  return [mailadd, mail_address2, mail_city, mail_state2, zip].map(part => plainName(String(part ?? ''))).join('|');
}
