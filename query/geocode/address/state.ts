import { STATE_FIPS } from '../../../datasets/codes/state-fips.ts';

/** Two-letter code → name, then older abbreviations in use (Publication 28, appendix B; GPO style manual 9.13). */
const NAMES: Readonly<Record<string, string>> = {
  AL: 'ALABAMA|ALA',
  AK: 'ALASKA',
  AZ: 'ARIZONA|ARIZ',
  AR: 'ARKANSAS|ARK',
  CA: 'CALIFORNIA|CALIF|CAL',
  CO: 'COLORADO|COLO',
  CT: 'CONNECTICUT|CONN',
  DE: 'DELAWARE|DEL',
  DC: 'DISTRICT OF COLUMBIA|DIST OF COLUMBIA|D C',
  FL: 'FLORIDA|FLA',
  GA: 'GEORGIA',
  HI: 'HAWAII',
  ID: 'IDAHO',
  IL: 'ILLINOIS|ILL',
  IN: 'INDIANA|IND',
  IA: 'IOWA',
  KS: 'KANSAS|KANS',
  KY: 'KENTUCKY',
  LA: 'LOUISIANA',
  ME: 'MAINE',
  MD: 'MARYLAND',
  MA: 'MASSACHUSETTS|MASS',
  MI: 'MICHIGAN|MICH',
  MN: 'MINNESOTA|MINN',
  MS: 'MISSISSIPPI|MISS',
  MO: 'MISSOURI',
  MT: 'MONTANA|MONT',
  NE: 'NEBRASKA|NEBR',
  NV: 'NEVADA|NEV',
  NH: 'NEW HAMPSHIRE|N H',
  NJ: 'NEW JERSEY|N J',
  NM: 'NEW MEXICO|N MEX|N M',
  NY: 'NEW YORK|N Y',
  NC: 'NORTH CAROLINA|N CAROLINA|N CAR|N C',
  ND: 'NORTH DAKOTA|N DAKOTA|N DAK|N D',
  OH: 'OHIO',
  OK: 'OKLAHOMA|OKLA',
  OR: 'OREGON|OREG|ORE',
  PA: 'PENNSYLVANIA|PENNA|PENN',
  RI: 'RHODE ISLAND|R I',
  SC: 'SOUTH CAROLINA|S CAROLINA|S CAR|S C',
  SD: 'SOUTH DAKOTA|S DAKOTA|S DAK|S D',
  TN: 'TENNESSEE|TENN',
  TX: 'TEXAS|TEX',
  UT: 'UTAH',
  VT: 'VERMONT',
  VA: 'VIRGINIA',
  WA: 'WASHINGTON|WASH',
  WV: 'WEST VIRGINIA|W VIRGINIA|W VA',
  WI: 'WISCONSIN|WISC|WIS',
  WY: 'WYOMING|WYO',
  AS: 'AMERICAN SAMOA|AMER SAMOA',
  GU: 'GUAM|TERRITORY OF GUAM',
  MP: 'NORTHERN MARIANA ISLANDS|NORTHERN MARIANAS|N MARIANA ISLANDS|CNMI',
  PR: 'PUERTO RICO|P R|PTO RICO|COMMONWEALTH OF PUERTO RICO',
  VI: 'US VIRGIN ISLANDS|U S VIRGIN ISLANDS|VIRGIN ISLANDS|ISLAS VIRGENES|USVI|V I',
};

const byName = new Map<string, string>();
for (const [code, names] of Object.entries(NAMES))
  for (const name of [code, ...names.split('|')]) byName.set(name, code);

/** Two-letter code of a state or territory by code, name or older abbreviation in capitals; null when it is none. */
export const stateOf = (words: string): string | null => byName.get(words) ?? null;

/** Full name in capitals of a two-letter code. */
export const stateNameOf = (code: string): string => NAMES[code]?.split('|')[0] ?? code;

const CODES: Readonly<Record<string, string>> = { ...STATE_FIPS, AS: '60', GU: '66', MP: '69', PR: '72', VI: '78' };
const byFips = new Map(Object.entries(CODES).map(([code, fips]) => [fips, code]));

/** Two-letter code of a two-digit FIPS code (ANSI INCITS 38); null when there is none. */
export const stateOfFips = (fips: string): string | null => byFips.get(fips) ?? null;

/**
 * First three digits of ZIP codes by state, as runs `first-last` (USPS Labeling List L002). Military ones (090–098, 340,
 * 962–966) and those not in use are left out.
 */
const PREFIXES: Readonly<Record<string, string>> = {
  PR: '006-007,009',
  VI: '008',
  MA: '010-027,055',
  RI: '028-029',
  NH: '030-038',
  ME: '039-049',
  VT: '050-054,056-059',
  CT: '060-069',
  NJ: '070-089',
  NY: '005,100-149',
  PA: '150-196',
  DE: '197-199',
  DC: '200,202-205,569',
  VA: '201,220-246',
  MD: '206-219',
  WV: '247-268',
  NC: '270-289',
  SC: '290-299',
  GA: '300-319,398-399',
  FL: '320-339,341-349',
  AL: '350-369',
  TN: '370-385',
  MS: '386-397',
  KY: '400-427',
  OH: '430-459',
  IN: '460-479',
  MI: '480-499',
  IA: '500-528',
  WI: '530-549',
  MN: '550-567',
  SD: '570-577',
  ND: '580-588',
  MT: '590-599',
  IL: '600-629',
  MO: '630-658',
  KS: '660-679',
  NE: '680-693',
  LA: '700-714',
  AR: '716-729',
  OK: '730-731,734-749',
  TX: '733,750-799,885',
  CO: '800-816',
  WY: '820-831',
  ID: '832-838',
  UT: '840-847',
  AZ: '850-865',
  NM: '870-884',
  NV: '889-898',
  CA: '900-908,910-928,930-961',
  HI: '967-968',
  OR: '970-979',
  WA: '980-994',
  AK: '995-999',
};

const byPrefix = new Map<number, string>();
for (const [code, runs] of Object.entries(PREFIXES))
  for (const run of runs.split(',')) {
    const [first, last = first] = run.split('-').map(Number);
    for (let prefix = first!; prefix <= last!; prefix++) byPrefix.set(prefix, code);
  }

/** State that a five-digit ZIP code belongs to; null for military and unused ones. 969 is Guam's and its neighbours'. */
export function stateOfZip(zip: string): string | null {
  if (zip.startsWith('96799')) return 'AS';
  if (zip.startsWith('9695')) return 'MP';
  if (/^969(?:[12]\d|3[12])/.test(zip)) return 'GU';
  return byPrefix.get(Number(zip.slice(0, 3))) ?? null;
}

/** Names of other countries as they end an address, and the shapes of their postal codes. */
const ABROAD =
  /(?:\b(?:CANADA|MEXICO|UNITED KINGDOM|UK|GREAT BRITAIN|ENGLAND|SCOTLAND|WALES|IRELAND|FRANCE|GERMANY|DEUTSCHLAND|SPAIN|ESPANA|ITALY|ITALIA|PORTUGAL|NETHERLANDS|BELGIUM|SWITZERLAND|AUSTRIA|SWEDEN|NORWAY|DENMARK|FINLAND|POLAND|JAPAN|CHINA|INDIA|AUSTRALIA|NEW ZEALAND|BRAZIL|BRASIL|ARGENTINA|CHILE|COLOMBIA|RUSSIA|SOUTH AFRICA|ISRAEL|TURKEY|KOREA|SINGAPORE|PHILIPPINES)|\b[ABCEGHJ-NPRSTVXY]\d[A-Z] ?\d[A-Z]\d|\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2})$/;
const PROVINCES = /,? (?:ON|QC|BC|AB|MB|SK|NS|NB|NL|PE|YT|NT|NU|ONTARIO|QUEBEC|BRITISH COLUMBIA|ALBERTA|MANITOBA)$/;

/** Whether a text in capitals ends as an address outside the United States does. */
export function isAbroad(text: string): boolean {
  if (/\b(?:MEXICO|CHINA|POLAND|NORWAY|DENMARK|IRELAND|BELGIUM|SWEDEN|PERU|PARIS|WALES)$/.test(text) && !/,/.test(text))
    return false;
  if (/\bNEW MEXICO$/.test(text)) return false;
  return ABROAD.test(text) || PROVINCES.test(text);
}
