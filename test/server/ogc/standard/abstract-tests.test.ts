// Every abstract test of OGC API Features 1.0.1, of part 3 and of CQL2: abstract-tests.tsv has a line for each, and each line leads to
// a test that there is, or says why there is none.
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { conformanceDocument } from '../../../../server/ogc/landing.ts';

/** Identifiers alone, from github.com/opengeospatial/ogcapi-features, tags 1.0.1, part3-1.0.0 and cql2-1.0.0, in their order. */
const STANDARDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'ogcapi-features-1/1.0': {
    core: 'http crs84 root-op root-success api-definition-op api-definition-success conformance-op conformance-success fc-md-op fc-md-success fc-md-links fc-md-items fc-md-items-links fc-md-extent sfc-md-op sfc-md-success fc-op fc-bbox-definition fc-bbox-response fc-limit-definition fc-limit-response fc-time-definition fc-time-response query-param-invalid query-param-unknown fc-response fc-links fc-timeStamp fc-numberMatched fc-numberReturned f-op f-success f-links',
    geojson: 'definition content',
    html: 'definition content',
    gmlsf0: 'definition content',
    gmlsf2: 'definition content',
    oas30: 'oas-definition-1 oas-definition-2 oas-impl completeness exceptions-codes security',
  },
  'ogcapi-features-3/1.0': {
    queryables: 'get-conformance get-queryables-uris get-queryables',
    'queryables-query-parameters': 'get-conformance query-param',
    filter:
      'get-conformance filter-param filter-lang-default expression-construction filter-crs-wgs84 filter-crs-param get-functions',
    'features-filter': 'get-conformance get-collections get-collection filter-on-items mixing-expression',
  },
  'cql2/1.0': {
    'cql2-text': 'validate escaping',
    'cql2-json': 'validate',
    'basic-cql2': 'basic-test comparison is-null boolean test-data logical',
    'advanced-comparison-operators': 'like between in test-data logical',
    'case-insensitive-comparison': 'casei casei-like test-data logical',
    'accent-insensitive-comparison': 'accenti accenti-like accenti-casei accenti-casei-like test-data logical',
    'basic-spatial-functions': 's_intersects test-data logical',
    'basic-spatial-functions-plus': 's_intersects test-data',
    'spatial-functions':
      's_intersects s_disjoint s_equals s_touches s_crosses s_within s_contains s_overlaps test-data logical',
    'temporal-functions': 'temporal-functions-1 temporal-functions-2 test-data logical',
    'array-functions': 'array-predicates logical',
    'property-property':
      'comparison-value-property comparison-property-property comparison-value-value test-data logical',
    functions: 'functions',
    arithmetic: 'arithmetic test-data logical',
  },
};
const tests = Object.entries(STANDARDS).flatMap(([standard, classes]) =>
  Object.entries(classes).flatMap(([name, ids]) => ids.split(' ').map(id => `${standard}/conf/${name}/${id}`)),
);

const ROOT = new URL('../../../../', import.meta.url);
const [head, ...lines] = readFileSync(new URL('abstract-tests.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');
const rows = lines.map(line => {
  const [test = '', verdict = '', evidence = '', ...more] = line.split('\t');
  return { test, verdict, evidence, more };
});
const REASON = 'not applicable because ';

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
/** Whether a file has a test of a title, in any kind of quotation marks. */
const hasTest = (text: string, title: string) =>
  new RegExp(`(?:\\b(?:it|test)|\\))\\(\\s*(['"\`])${escaped(title)}\\1\\s*,`).test(text);

/** What is wrong with a line; null for nothing. */
function fault({ verdict, evidence }: Pick<(typeof rows)[number], 'verdict' | 'evidence'>): string | null {
  if (verdict === 'not applicable')
    return evidence.startsWith(REASON) && evidence.length > REASON.length + 20 ? null : 'has no reason';
  if (verdict !== 'test') return `has the verdict ${verdict}`;
  for (const one of evidence.split(' && ')) {
    const [path = '', title = ''] = one.split(' :: ');
    const file = new URL(path, ROOT);
    if (path === '' || !existsSync(file)) return `names ${path}, which there is not`;
    if (title === '' || !hasTest(readFileSync(file, 'utf8'), title)) return `names a test that is not there: ${title}`;
  }
  return null;
}

it('each abstract test has one line, in their order, and no line is of none', () => {
  expect(head).toBe('test\tverdict\tevidence');
  expect(rows.map(({ test }) => test)).toEqual(tests);
  expect(new Set(tests).size).toBe(tests.length);
  expect(rows.filter(({ more }) => more.length > 0)).toEqual([]);
});

it('each leads to tests that there are, or says why it is not applicable', () => {
  expect(rows.map(row => ({ test: row.test, fault: fault(row) })).filter(one => one.fault !== null)).toEqual([]);
  expect(fault({ verdict: 'test', evidence: 'test/server/ogc/ogc.test.ts :: none of that name' })).toContain(
    'not there',
  );
  expect(fault({ verdict: 'not applicable', evidence: REASON })).toBe('has no reason');
});

it('a class that is declared has a test of each, but for what is optional in it, and no class is declared without', () => {
  const declared = conformanceDocument().conformsTo.map(name => name.replace('http://www.opengis.net/spec/', ''));
  const optional = ['ogcapi-features-3/1.0/conf/filter/get-functions'];
  const untested = rows.filter(
    ({ test, verdict }) =>
      verdict !== 'test' && !optional.includes(test) && declared.includes(test.split('/').slice(0, -1).join('/')),
  );
  expect(untested).toEqual([]);
  // The name of a class in drafts has no tests of its own.
  const known = new Set([
    ...tests.map(test => test.split('/').slice(0, -1).join('/')),
    'cql2/1.0/conf/basic-spatial-operators',
  ]);
  const ours = declared.filter(name => /^(?:ogcapi-features-[13]|cql2)\//.test(name));
  expect(ours.filter(name => !known.has(name))).toEqual([]);
});
