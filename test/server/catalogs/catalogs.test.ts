import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { installedIn } from '../../../query/release/installed.ts';
import { openRelease } from '../../../query/release/open-release.ts';
import { stacCheck } from '../../pipelines/release/stac-schemas.ts';
import { syntheticHome } from '../../synthetic-home.ts';
import { type Fixture, ISSUER, openFixture } from '../service-fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  const security = { contacts: ['https://plat.example/report', 'mailto:data@plat.example'], answerDays: 7, policy: '' };
  fixture = await openFixture({ catalog, security });
  const { home } = await syntheticHome();
  fixture.engine.sources = installedIn(openRelease(home), error => {
    throw error;
  });
}, 300_000);
afterAll(() => fixture?.[Symbol.asyncDispose]());

interface Link {
  readonly rel: string;
  readonly href: string;
  readonly type: string;
}

const read = async (address: string) => {
  const reply = await fixture.app.inject(address.replace(ISSUER, ''));
  expect([address, reply.statusCode]).toEqual([address, 200]);
  return { document: reply.json(), type: reply.headers['content-type'] };
};

describe('the release as STAC', () => {
  it('is valid by the published schemas from the catalog to every item, and every link of it leads somewhere', async () => {
    const check = stacCheck();
    const seen = new Map<string, { readonly type: string; readonly links: readonly Link[] }>();
    const waiting = [`${ISSUER}/stac`];
    for (const address of waiting) {
      if (seen.has(address)) continue;
      const { document, type } = await read(address);
      seen.set(address, document);
      expect([address, check(document)]).toEqual([address, []]);
      expect(document.links.find(({ rel }: Link) => rel === 'self').href).toBe(address);
      expect(type).toContain(document.type === 'Feature' ? 'application/geo+json' : 'application/json');
      waiting.push(...document.links.map(({ href }: Link) => href));
    }
    const kinds = Map.groupBy(seen.values(), ({ type }) => type);
    expect(kinds.get('Catalog')).toHaveLength(1);
    expect(kinds.get('Collection')!.length).toBeGreaterThan(20);
    // Each file that the release was made from is an item, and no other.
    expect(kinds.get('Feature')).toHaveLength(fixture.engine.sources.length);
  });

  it('says where features are read, and refuses what is not there', async () => {
    const { document } = await read('/stac/parcels');
    const { document: item } = await read(document.links.find(({ rel }: Link) => rel === 'item').href);
    expect(item.assets.features.href).toMatch(/\/v1\/ogc\/collections\/parcels\/items\?bbox=[\d.,-]+$/);
    for (const path of ['/stac/nothing', '/stac/parcels/nothing', '/stac/__proto__'])
      expect((await fixture.app.inject(path)).json().detail.error).toBe('not_found');
  });

  it('leads from the parcels to how right their values are, of each county and of all', async () => {
    const { document } = await read('/stac/parcels');
    const { document: item } = await read(document.links.find(({ rel }: Link) => rel === 'item').href);
    const county = item.properties['plat:county_fips'];
    expect(item.assets.scorecard.href).toBe(`${ISSUER}/v1/meta/scorecard?county_fips=${county}`);
    for (const { href } of [document.assets.scorecard, item.assets.scorecard])
      expect((await read(href)).document).toMatchObject({ rows: expect.any(Array), counties_left: 0 });
    expect((await read('/stac/census_tiger.roads')).document.assets).toEqual({});
  });

  it('is an empty catalog where no release is open', async () => {
    await using empty = await openFixture();
    empty.engine.current = { ...empty.engine.current, release: null };
    const document = (await empty.app.inject('/stac')).json();
    expect(stacCheck()(document)).toEqual([]);
    expect(document.links.map(({ rel }: Link) => rel)).toEqual(['self', 'root']);
    expect((await empty.app.inject('/data.json')).json().dataset).toEqual([]);
  });
});

/**
 * What DCAT-US 3.0 (https://resources.data.gov/dcat-us/3.0.0/) wants of the classes that are sent: their required properties, and
 * types and forms of all that are sent. It lets others pass; here they are refused, because nobody would have looked at them.
 */
const text = { type: 'string' };
const texts = { type: 'array', items: text };
const iri = { ...text, pattern: '^https?://' };
const of = (type: string, properties: object, required: readonly string[] = []) => ({
  type: 'object',
  properties: { '@type': { const: type }, '@id': iri, ...properties },
  required: ['@type', ...required],
  additionalProperties: false,
});
const organization = of('Organization', { name: text }, ['name']);
const kind = of('Kind', { fn: text, hasEmail: { ...text, pattern: '^mailto:[\\w.+-]+@[\\w.-]+\\.[\\w.-]+$' } }, [
  'fn',
  'hasEmail',
]);
const language = { ...text, maxLength: 2 };
const dataset = of(
  'Dataset',
  {
    identifier: text,
    title: text,
    description: text,
    publisher: organization,
    wasAttributedTo: { type: 'array', items: organization },
    contactPoint: { type: 'array', items: kind },
    modified: { ...text, pattern: '^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$' },
    language,
    rights: texts,
    keyword: { ...texts, items: { ...text, minLength: 1 } },
    spatial: of('Location', { bbox: { ...text, pattern: '^POLYGON\\(\\((-?[\\d.]+ -?[\\d.]+(, )?){5}\\)\\)$' } }),
    provenance: texts,
    distribution: {
      type: 'array',
      items: of('Distribution', { title: text, accessURL: iri, mediaType: text, accessRights: text }),
    },
  },
  ['description', 'publisher', 'title', 'contactPoint', 'identifier'],
);
const DCAT = of(
  'Catalog',
  {
    title: text,
    description: text,
    language,
    contactPoint: { type: 'array', items: kind },
    rights: texts,
    dataset: { type: 'array', items: dataset },
  },
  ['dataset'],
);

it('the release as DCAT-US has what its definitions require, a dataset a layer, and the mail of the operator', async () => {
  const { document } = await read('/data.json');
  const check = new Ajv({ allErrors: true, strict: false }).compile(DCAT);
  expect(check(document), JSON.stringify(check.errors?.slice(0, 3))).toBe(true);
  const { document: root } = await read('/stac');
  const children = root.links.filter(({ rel }: Link) => rel === 'child').map(({ href }: Link) => href);
  expect(document.dataset.map(({ identifier }: { identifier: string }) => identifier)).toEqual(children);
  expect(document.contactPoint).toEqual([
    { '@type': 'Kind', fn: 'Operator of this server', hasEmail: 'mailto:data@plat.example' },
  ]);
});

it('the page of the release has its description for search engines in its head', async () => {
  const { body, headers } = await fixture.app.inject('/docs/release');
  const [, json] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(body)!;
  const told = JSON.parse(json!);
  expect(told).toMatchObject({ '@context': 'https://schema.org', '@type': 'Dataset', version: 'r1' });
  // What Google asks of a Dataset: a name and a description of 50 to 5,000 characters.
  for (const one of [told, ...told.hasPart]) {
    expect(one.name.length).toBeGreaterThan(0);
    expect(one.description.length).toBeGreaterThanOrEqual(50);
    expect(one.description.length).toBeLessThanOrEqual(5_000);
  }
  expect(told.hasPart).toHaveLength((await read('/data.json')).document.dataset.length);
  expect(headers['content-security-policy']).toContain("default-src 'none'");
});
