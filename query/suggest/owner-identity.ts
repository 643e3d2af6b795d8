import { ownerWords } from '../format/name/owner-words.ts';

/** Words that only companies, associations and public bodies have in their names: the order of these matters. */
const BODY =
  /\b(?:LLC|LLP|LP|INC|CORP|CO|LTD|PLC|PC|PA|BANK|ASSOCIATION|ASSOCIATES|PARTNERS|PARTNERSHIP|PROPERTIES|REALTY|HOLDINGS|ENTERPRISES|INVESTMENTS|MANAGEMENT|DEVELOPMENT|BROTHERS|SONS|CITY|TOWN|COUNTY|STATE|VILLAGE|TOWNSHIP|INHABITANTS|DEPARTMENT|DISTRICT|UNIVERSITY|COLLEGE|SCHOOL|CHURCH|CLUB|FOUNDATION|AUTHORITY|RAILROAD|RAILWAY|UNITED STATES|CONDOMINIUM|CEMETERY|HOSPITAL)\b/;

/**
 * What owners are one by, however a roll writes them: entity forms and marks in one way, `&` and `and` left out; of persons the set of
 * their names, whichever comes first, so that SMITH JOHN & MARY, JOHN AND MARY SMITH and SMITH JOHN & SMITH MARY are one. Initials,
 * generations (JR, III) and further owners (ETAL) tell owners apart.
 * @param name as a roll has it, or as plainName makes it. @returns empty where there is none.
 */
export function ownerIdentity(name: string): string {
  const words = ownerWords(name);
  const text = words.join(' ');
  return BODY.test(text) ? text : [...new Set(words)].sort().join(' ');
}
