import { STATE_FIPS } from '../../../datasets/codes/state-fips.ts';
import type { ColumnExpression } from '../../../datasets/place/place.ts';
import type { Fields, GuessedColumn } from './guess.ts';
import { HINTS } from './hints/hints.ts';
import { fitOf, share } from './looks.ts';
import { columnName, nameScore } from './names.ts';
import { ParcelRules } from './parcel-rules.ts';
import { presentIn } from './profile.ts';
import { translate } from './vocabulary.ts';

type Columns = Map<string, GuessedColumn>;
type Rule = (fields: Fields, columns: Columns) => void;
type Field = Fields['profiles'][number];

const FOLLOWS = 0.95;

const nameOf = (expression: ColumnExpression | undefined): string | null =>
  typeof expression === 'string' ? expression : typeof expression?.from === 'string' ? expression.from : null;

function put(
  columns: Columns,
  target: string,
  expression: ColumnExpression,
  score: number,
  sources: readonly string[],
  ...notes: string[]
): void {
  if (!columns.has(target)) columns.set(target, { target, expression, score, sources, notes, others: [] });
}

/** Returns the column that best matches the hints of another layer's column, with the score of its name. */
function namedLike({ profiles }: Fields, layer: string, column: string): { field: Field; score: number } | null {
  const names = [column, ...HINTS[layer]!.columns[column]![1].split(/\s+/)].filter(Boolean).map(columnName);
  let best: { field: Field; score: number } | null = null;
  for (const field of profiles) {
    if (presentIn(field) === 0) continue;
    const score = nameScore(field.name, names) * (0.3 + 0.7 * fitOf(field, HINTS[layer]!.columns[column]![0]));
    if (score > (best?.score ?? 0.45)) best = { field, score };
  }
  return best;
}

/** Fills a target from the source of another through the target's vocabulary. */
function translated(fields: Fields, columns: Columns, target: string, from: string): void {
  const mapped = columns.get(from);
  const source = nameOf(mapped?.expression);
  const field = fields.profiles.find(f => f.as === source);
  if (!mapped || !field || columns.has(target)) return;
  const said = translate(`${fields.key}.${target}`, field, fields.columns[target]?.values, field.as);
  if (!said) return;
  const left = said.left.slice(0, 8).join(', ');
  put(
    columns,
    target,
    said.expression,
    mapped.score * (0.6 + 0.4 * said.share),
    [field.as],
    ...(left ? [`becomes null: ${left}`] : []),
  );
}

/** Splits a full address at the first blank if the file has no column for the house number. */
const addresses: Rule = (fields, columns) => {
  const number = columns.get('Add_Number');
  const whole = namedLike(fields, 'parcel_store:main', 'address');
  if (!number && whole) {
    const { field, score } = whole;
    const padded = share(field, value => / {2}/.test(String(value))) > 0 ? '| (?= )' : '';
    const notes = ['house number and street are parted at the first blank'];
    const from = field.as;
    put(columns, 'Add_Number', { from, patterns: [{ match: '^ *0*([1-9]\\d*)', value: '$1' }] }, score * FOLLOWS, [
      from,
    ]);
    put(columns, 'AddNo_Full', { from, patterns: [{ match: '^ *(\\d+\\S*)(?: |$)', value: '$1' }] }, score * FOLLOWS, [
      from,
    ]);
    const street = { from, strip: `^ *\\d+\\S*(?: +|$)${padded}` };
    const mapped = columns.get('StNam_Full');
    if (mapped && mapped.score < score) columns.delete('StNam_Full');
    put(columns, 'StNam_Full', street, score * FOLLOWS, [from], ...notes);
  } else if (number) {
    put(columns, 'AddNo_Full', nameOf(number.expression) ?? number.expression, number.score * FOLLOWS, number.sources);
    const parts = ['saddpref', 'saddstr', 'saddsttyp', 'saddstsuf'].flatMap(
      part => namedLike(fields, 'parcel_store:main', part) ?? [],
    );
    const street = parts.some(({ field }) => field.as === nameOf(columns.get('St_Name')?.expression));
    if (parts.length > 0 && (street || parts.length > 1))
      put(
        columns,
        'StNam_Full',
        { from: parts.map(({ field }) => field.as) },
        Math.min(...parts.map(p => p.score)) * FOLLOWS,
        [...parts.map(({ field }) => field.as)],
      );
    const name = columns.get('St_Name');
    if (name) put(columns, 'StNam_Full', name.expression, name.score * 0.8, name.sources);
  }
  if (fields.area.state) put(columns, 'State', { const: fields.area.state }, 1, [], 'the state');
};

const flood: Rule = (fields, columns) => {
  translated(fields, columns, 'SFHA_TF', 'FLD_ZONE');
  const zone = nameOf(columns.get('FLD_ZONE')?.expression);
  const field = fields.profiles.find(f => f.as === zone);
  if (field && share(field, value => /^(X500|X5|B|0\.2 ?PCT)/i.test(String(value))) > 0)
    translated(fields, columns, 'ZONE_SUBTY', 'FLD_ZONE');
};

const wetlands: Rule = (fields, columns) => {
  const code = nameOf(columns.get('ATTRIBUTE')?.expression);
  const type = columns.get('WETLAND_TYPE');
  if (code !== null && type && type.score < 0.7) columns.delete('WETLAND_TYPE');
  translated(fields, columns, 'WETLAND_TYPE', 'ATTRIBUTE');
};

const roads: Rule = (fields, columns) => {
  translated(fields, columns, 'RTTYP', 'MTFCC');
  translated(fields, columns, 'MTFCC', 'RTTYP');
  const name = columns.get('FULLNAME');
  const source = nameOf(name?.expression);
  if (source !== null && /^(street|st_?name|name)$/i.test(source)) {
    const parts = ['saddpref', 'saddstr', 'saddsttyp', 'saddstsuf'].flatMap(
      part => namedLike(fields, 'parcel_store:main', part) ?? [],
    );
    const bare = fields.profiles.find(f => f.as === source)!;
    const typed = share(bare, v =>
      / (st|street|rd|road|ave|avenue|dr|drive|ln|lane|ct|court|hwy|way|blvd)\.?$/i.test(String(v)),
    );
    if (typed < 0.3 && parts.length > 1 && parts.some(({ field }) => field.as === source))
      columns.set('FULLNAME', {
        ...name!,
        expression: { from: parts.map(({ field }) => field.as) },
        sources: parts.map(({ field }) => field.as),
      });
  }
};

/** Makes the key of districts that have a number: the state's code and the number with leading zeros. */
const districts =
  (digits: number, name: string | null): Rule =>
  (fields, columns) => {
    const mapped = columns.get('GEOID');
    const source = nameOf(mapped?.expression);
    const field = fields.profiles.find(f => f.as === source);
    const fips = STATE_FIPS[fields.area.state ?? ''];
    if (!mapped || !field || !fips || source === null) return;
    if (share(field, value => String(value).length === digits + 2 && String(value).startsWith(fips)) > 0.9) return;
    const number = share(field, value => /^\d{1,3}$/.test(String(value))) > 0.9;
    if (!number) {
      columns.delete('GEOID');
      return;
    }
    columns.set('GEOID', {
      ...mapped,
      expression: { from: [{ const: fips }, { from: source, type: 'string', pad: digits }], join: '' },
    });
    if (name) put(columns, 'NAMELSAD', { template: `${name} {${source}}` }, mapped.score * 0.9, [source]);
  };

/** Adds the number of a state that the file names only by its letters. */
const states: Rule = (_fields, columns) => {
  const code = nameOf(columns.get('STUSPS')?.expression);
  if (code === null) return;
  for (const target of ['GEOID', 'STATEFP'])
    put(columns, target, { from: code, lookup: STATE_FIPS }, columns.get('STUSPS')!.score * FOLLOWS, [code]);
};

const LEGAL_SUFFIX = {
  County: 'County',
  Parish: 'Parish',
  Borough: 'Borough',
  city: 'city',
  Muno: 'Municipio',
  Muny: 'Municipality',
  CA: 'Census Area',
  'Cty&Bor': 'City and Borough',
};

/** Makes the full name of a county whose legal suffix is in another column. */
const counties: Rule = (fields, columns) => {
  const suffix = fields.profiles.find(f => /^lsad$/i.test(f.name));
  const name = nameOf(columns.get('NAME')?.expression);
  // The column LSAD holds the suffix, not the whole name.
  if (suffix && (columns.get('NAMELSAD')?.score ?? 1) < 0.8) columns.delete('NAMELSAD');
  if (suffix && name !== null && share(suffix, value => String(value) in LEGAL_SUFFIX) > 0.5)
    put(
      columns,
      'NAMELSAD',
      { from: [name, { from: suffix.as, lookup: LEGAL_SUFFIX }] },
      columns.get('NAME')!.score * 0.9,
      [name, suffix.as],
    );
};

/** Makes a county's key from two columns: the code of the state and its own. */
const countyKey =
  (target: string): Rule =>
  (fields, columns) => {
    const state = namedLike(fields, 'census_tiger:county', 'STATEFP');
    const county = namedLike(fields, 'census_tiger:county', 'COUNTYFP');
    if (!state || !county || state.field === county.field) return;
    if ((columns.get(target)?.score ?? 0) >= Math.min(state.score, county.score)) return;
    columns.delete(target);
    const from = [
      { from: state.field.as, type: 'string', pad: 2 },
      { from: county.field.as, type: 'string', pad: 3 },
    ] as const;
    put(columns, target, { from, join: '' }, Math.min(state.score, county.score), [state.field.as, county.field.as]);
  };

/** Reads columns of a year (POPESTIMATE2025) from the latest years in the file. */
const editions: Rule = (fields, columns) => {
  const dated = (name: string) => /^(.*?)((?:19|20)\d\d)$/.exec(name);
  const stems = new Map<string, number[]>();
  for (const name of Object.keys(fields.columns)) {
    const [, stem, year] = dated(name) ?? [];
    if (stem) stems.set(stem, [...(stems.get(stem) ?? []), Number(year)]);
  }
  for (const [stem, years] of stems) {
    const published = fields.profiles.flatMap(field => {
      const found = dated(field.name);
      return found && found[1]!.toLowerCase() === stem.toLowerCase() ? [{ field, year: Number(found[2]) }] : [];
    });
    if (published.length === 0) continue;
    const latest = Math.max(...published.map(p => p.year));
    // All years of a table belong to one edition: the latest year of the layer is read from the latest year of the file.
    const newest = Math.max(...[...stems.values()].flat());
    for (const year of years) {
      const hit = published.find(p => p.year === latest - (newest - year));
      if (!hit || columns.get(`${stem}${year}`)?.score === 1) continue;
      columns.delete(`${stem}${year}`);
      put(columns, `${stem}${year}`, hit.field.as, 0.7, [hit.field.as], `the edition of ${latest}, its latest`);
    }
  }
};

const RULES: Readonly<Record<string, readonly Rule[]>> = {
  'parcel_store:main': [(fields, columns) => new ParcelRules(fields, columns).apply()],
  'usdot_nad:main': [addresses],
  'fema_nfhl:S_FLD_HAZ_AR': [flood],
  'usfws_nwi:main': [wetlands],
  'census_tiger:roads': [roads],
  'census_tiger:cd': [districts(2, null)],
  'census_tiger:sldl': [districts(3, 'State House District')],
  'census_tiger:sldu': [districts(3, 'State Senate District')],
  'census_tiger:state': [states],
  'census_tiger:county': [counties],
  'census_pep:main': [countyKey('county_fips'), editions],
};

/** Adds the columns that follow from matched columns in a layer of this kind. */
export function applyRules(fields: Fields, columns: Columns): void {
  for (const rule of RULES[fields.key] ?? []) rule(fields, columns);
}
