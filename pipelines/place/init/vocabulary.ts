import type { Value } from '../../../datasets/dataset.ts';
import type { ColumnExpression } from '../../../datasets/place/place.ts';
import { type Profile, presentIn } from './profile.ts';

type Word = readonly [pattern: string, value: Exclude<Value, null>];

/** Groups for words of zoning and use. A value with the words of two groups gets none. */
const GROUPS: readonly Word[] = [
  ['RESID|SINGLE.?FAM|MULTI.?FAM|DWELL|APART|CONDO|TOWN ?HO|MOBILE HO|DUPLEX|\\b[1-4] ?FAM', 'residential'],
  ['COMMERC|RETAIL|OFFICE|BUSINESS|HOTEL|MOTEL|RESTAUR|SHOPPING|STORE\\b', 'commercial'],
  ['INDUST|MANUF|WAREHOUSE', 'industrial'],
  ['AGRIC|\\bFARM|\\bCROP|PASTURE|RANCH|ORCHARD', 'agricultural'],
];

/** Cowardin codes by their first class: the legend of the NWI mapper. */
const WETLANDS: readonly Word[] = [
  ['^PEM', 'Freshwater Emergent Wetland'],
  ['^P(F[O0]|SS)', 'Freshwater Forested/Shrub Wetland'],
  ['^P(UB|AB|OW|RB|US)', 'Freshwater Pond'],
  ['^Pf', 'Other'],
  ['^R', 'Riverine'],
  ['^L', 'Lake'],
  ['^[EM]1', 'Estuarine and Marine Deepwater'],
  ['^[EM]2', 'Estuarine and Marine Wetland'],
];

/** Patterns of published words and the value that each means, by `dataset:layer.column`. */
export const VOCABULARY: Readonly<Record<string, readonly Word[]>> = {
  'parcel_store:main.use_group': [
    ...GROUPS,
    ['EXEMPT|CHURCH|RELIG|SCHOOL|GOVERN|MUNICIPAL', 'exempt'],
    ['VACANT|UNDEVELOPED', 'vacant'],
  ],
  'parcel_store:main.zoning_type': GROUPS,
  'fema_nfhl:S_FLD_HAZ_AR.FLD_ZONE': [
    ['^(X500|X5|B|SHADED X|0\\.2 ?PCT.*|500)$', 'X'],
    ['^C$', 'X'],
    ['^A([1-9]|[12][0-9]|30)$', 'AE'],
    ['^V([1-9]|[12][0-9]|30)$', 'VE'],
  ],
  'fema_nfhl:S_FLD_HAZ_AR.ZONE_SUBTY': [
    ['^(X500|X5|B|SHADED X|0\\.2 ?PCT.*|500)$', '0.2 PCT ANNUAL CHANCE FLOOD HAZARD'],
  ],
  'fema_nfhl:S_FLD_HAZ_AR.SFHA_TF': [
    ['^(IN|Y|YES|TRUE|1|T)$', 'T'],
    ['^(OUT|N|NO|FALSE|0|F)$', 'F'],
    // The zone tells it: special flood hazard areas begin with A or V.
    ['^(A|AE|AH|AO|AR|A99|A[0-9]+|V|VE|V[0-9]+)$', 'T'],
    ['^(X|X500|B|C|D|X5)$', 'F'],
  ],
  'usfws_nwi:main.WETLAND_TYPE': WETLANDS,
  'census_tiger:roads.MTFCC': [
    ['^(S1\\d{3})$', '$1'],
    ['RAMP', 'S1630'],
    ['INTERSTATE|FREEWAY|EXPRESSWAY', 'S1100'],
    ['US H|STATE|HIGHWAY|\\bHWY|US ROUTE', 'S1200'],
    ['ALLEY', 'S1730'],
    ['SERVICE', 'S1640'],
    ['MAJOR|MINOR|LOCAL|COLLECTOR|ARTERIAL|CITY|TOWN|COUNTY|RESID|STREET', 'S1400'],
  ],
  'census_tiger:roads.RTTYP': [
    ['INTERSTATE', 'I'],
    ['\\bUS\\b', 'U'],
    ['STATE', 'S'],
    ['COUNTY', 'C'],
    ['MAJOR|MINOR|LOCAL|COLLECTOR|ARTERIAL|CITY|TOWN|STREET', 'M'],
  ],
  'bts_ntad:narn.NET': [
    ['ABANDON', 'A'],
    ['MAIN', 'M'],
    ['SIDING', 'S'],
    ['YARD', 'Y'],
    ['SPUR|BRANCH|INDUSTR|LEAD', 'O'],
  ],
  'usgs_padus:main.Own_Type': [
    ['FEDERAL|\\bUSA?\\b|NPS|BLM|USFS|FOREST SERVICE', 'FED'],
    ['STATE', 'STAT'],
    ['TRUST|AUDUBON|CONSERVANCY|NON.?PROFIT|FOUNDATION|SOCIETY|LAND TRUST|\\bNGO', 'NGO'],
    ['CITY|TOWN|MUNI|VILLAGE|COUNTY|LOCAL', 'LOC'],
    ['PRIVATE', 'PVT'],
    ['TRIB|NATION\\b', 'TRIB'],
    ['DISTRICT', 'DIST'],
  ],
  'fema_usa_structures:main.OCC_CLS': [
    ['RESID|DWELL|HOUSE\\b|APART|MOBILE HO', 'Residential'],
    ['COMMERC|RETAIL|OFFICE', 'Commercial'],
    ['INDUST|WAREHOUSE|MANUF', 'Industrial'],
    ['GOVERN|MUNICIPAL', 'Government'],
    ['EDUC|SCHOOL|COLLEGE', 'Education'],
    ['RELIG|CHURCH|ASSEMBLY', 'Assembly'],
    ['AGRIC|\\bBARN|FARM', 'Agriculture'],
  ],
  'eia_860m:plant.Technology': [
    ['^NUCLEAR$', 'Nuclear'],
    ['^GEOTHERMAL$', 'Geothermal'],
  ],
};

/** Most distinct values that a lookup lists one by one. */
const NAMED = 60;
/** Targets in which a value with two meanings becomes null. */
const ONE_ONLY = /\.(use_group|zoning_type)$/;

function meaning(key: string, words: readonly Word[], text: string): Exclude<Value, null> | null {
  const hits = words.filter(([pattern]) => new RegExp(pattern, 'i').test(text));
  if (hits.length === 0) return null;
  if (ONE_ONLY.test(key) && new Set(hits.map(([, value]) => value)).size > 1) return null;
  const [, value] = hits[0]!;
  return value === '$1' ? text : value;
}

/** A column that is translated by the vocabulary of its target, and the values without a translation. */
interface Translated {
  readonly expression: ColumnExpression;
  /** Share of the present values that are translated. */
  readonly share: number;
  readonly left: readonly string[];
}

/**
 * Translates a published column's words into values of the target: by a lookup if they are few, else by patterns.
 * @param values the target's closed list, whose values stay unchanged; [] if it has none.
 * @param name under which rows have the column.
 * @returns null if the target has no vocabulary, or if the vocabulary does not fit the column.
 */
export function translate(
  key: string,
  profile: Profile,
  values: readonly Exclude<Value, null>[] = [],
  name: string = profile.name,
): Translated | null {
  const words = VOCABULARY[key];
  if (!words || presentIn(profile) === 0) return null;
  const list = new Map(values.map(value => [String(value).toLowerCase(), value]));
  const lookup: Record<string, Exclude<Value, null>> = {};
  const left: string[] = [];
  let hits = 0;
  let all = 0;
  for (const [value, count] of profile.values) {
    const text = String(value);
    const found = list.get(text.toLowerCase()) ?? meaning(key, words, text);
    all += count;
    if (found === null) left.push(text);
    else {
      hits += count;
      lookup[text] = found;
    }
  }
  if (hits === 0) return null;
  const few = profile.listed && profile.values.size <= NAMED;
  const patterns = words.map(([match, value]) => ({ match: `(?i:${match})`, value }));
  return {
    expression: few ? { from: name, lookup } : { from: name, patterns },
    share: hits / all,
    left: few ? left : [],
  };
}
