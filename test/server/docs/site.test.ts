import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { PROBABILITIES } from '../../../query/parcel/quantiles.ts';
import { renderPage } from '../../../server/docs/site/markdown.ts';
import { SECTIONS } from '../../../server/docs/site/sections.ts';
import { root } from '../../house/files.ts';
import { type Fixture, openFixture } from '../service-fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture({ catalog });
});
afterAll(() => fixture?.[Symbol.asyncDispose]());

const names = SECTIONS.flatMap(({ pages }) => pages.map(({ name }) => name));
const page = async (path: string) => {
  const reply = await fixture.app.inject(path);
  expect([path, reply.statusCode]).toEqual([path, 200]);
  return reply.body;
};

it('every page of docs/ stands in exactly one section', () => {
  const files = readdirSync(join(root, 'docs')).filter(name => name.endsWith('.md'));
  expect(names.filter(name => !['changelog', 'contributing'].includes(name)).sort()).toEqual(
    files.map(name => name.replace('.md', '')).sort(),
  );
});

it('the first page says of each page what it is about, in a whole sentence', async () => {
  const leads = [
    ...(await page('/docs')).matchAll(/<li><a href="([^"]+)">[^<]*<\/a>\. <span class="soft">([^<]*)<\/span>/g),
  ];
  expect(leads.length).toBeGreaterThanOrEqual(names.length);
  expect(
    leads
      .filter(([, , lead]) => !/^.{15,}\.$/.test(lead!) || /Generated/.test(lead!))
      .map(([, path, lead]) => [path, lead]),
  ).toEqual([]);
});

it('every link within the site leads to a page, and to a heading of it where it names one', async () => {
  const bodies = new Map<string, string>();
  for (const path of ['/docs', '/docs/fields', '/docs/fields/elevation', ...names.map(name => `/docs/${name}`)])
    bodies.set(path, await page(path));
  const broken: string[] = [];
  for (const [path, body] of bodies)
    for (const [, href] of body.matchAll(/<a (?:class="\w+" )?href="([^"]+)"/g)) {
      const [target = '', fragment] = href!.startsWith('#') ? [path, href!.slice(1)] : href!.split('#');
      if (!target.startsWith('/docs')) continue;
      const known = bodies.get(target) ?? (target.startsWith('/docs/fields/') ? '' : null);
      if (known === null && target !== '/docs/release') broken.push(`${path}: ${href}`);
      else if (known && fragment && !known.includes(`id="${fragment}"`)) broken.push(`${path}: ${href}`);
    }
  expect(broken).toEqual([]);
});

it('a page has the meaning, source, price and questions of a field; an unknown one is not found', async () => {
  const body = await page('/docs/fields/fema_flood_zone');
  const { title, description, terms } = catalog.fields.get('fema_flood_zone')!;
  for (const part of [title, description, terms[0]!, 'Publisher', 'Confidence', 'Accuracy', 'credits', '/v1/fetch'])
    expect(body).toContain(part.replaceAll("'", '&#39;').replaceAll('"', '&quot;'));
  for (const path of ['/docs/nothing', '/docs/fields/nothing', '/docs/..%2fpackage', '/docs/fields/__proto__'])
    expect((await fixture.app.inject(path)).json().detail.error).toBe('not_found');
});

it('a page draws where a release answers the field and how its values are spread; without a release it draws nothing', async () => {
  const source = { dataset: 'usgs_3dep', layer: 'main', county: '23019', state: 'ME', place: 'bangor-me', box: null };
  await using served = await openFixture({ catalog });
  served.engine.sources = [source as never];
  served.engine.areas = { US: { parcels: 3, fields: { elevation: { count: 3, values: PROBABILITIES } } } };
  const body = async (name: string) => (await served.app.inject(`/docs/fields/${name}`)).body;
  const elevation = await body('elevation');
  expect(elevation).toMatch(
    /id="coverage">.*\n<figure><svg .*aria-label="This release holds one county; the field is answered/,
  );
  expect(elevation).toMatch(/id="spread">.*\n<figure><svg .*Half of the parcels with a value have 0.25 m to 0.75 m/);
  expect(await body('fema_flood_zone')).not.toContain('id="spread"');
  served.engine.current = { ...served.engine.current, release: null };
  expect(await body('elevation')).not.toContain('<figure>');
});

it('the search has every part of every page and every field', async () => {
  const index = JSON.parse(await page('/docs/search.json')) as { path: string; heading: string; text: string }[];
  const paths = new Set(index.map(({ path }) => path.split('#')[0]));
  for (const name of names) expect(paths).toContain(`/docs/${name}`);
  expect(paths).toContain('/docs/fields/elevation');
  expect(index.find(({ heading }) => heading === 'Three shapes')?.path).toBe('/docs/errors#three-shapes');
  expect(index.filter(({ text }) => /<\/\w+>|&amp;/.test(text)).slice(0, 3)).toEqual([]);
});

it('Markdown becomes markup with links between pages, and text of code is not markup', () => {
  const { html, title, parts } = renderPage(
    '# A `b` title\n\nSee [search](search.md#areas), [field-requests.md](field-requests.md), [code](../server/app.ts) and <https://example.org>.\n\n## Two\n\n```sh\necho "<b>"\n```\n\n| a | b |\n|---|---|\n| 1 | `x|y` |\n',
    'docs/fetch.md',
  );
  expect(title).toBe('A b title');
  expect(html).toContain(
    '<a href="/docs/search#areas">search</a>, <a href="/docs/field-requests">field requests</a>, code and <a href="https://example.org">',
  );
  expect(html).toContain('echo &quot;&lt;b&gt;&quot;');
  expect(html).toContain('<h2 id="two">Two</h2>');
  expect(parts.map(({ id, heading }) => [id, heading])).toEqual([
    ['a-b-title', 'A b title'],
    ['two', 'Two'],
  ]);
});

it('all that the pages need stands in them or is of this server', async () => {
  const reply = await fixture.app.inject('/docs/fetch');
  expect(reply.headers['content-security-policy']).toMatch(
    /^default-src 'none'; style-src 'sha256-.*connect-src 'self'/,
  );
  expect([...reply.body.matchAll(/<(?:script|link|img)[^>]* (?:src|href)="([^"]+)"/g)].map(([, at]) => at)).toEqual([
    '/plat.svg',
  ]);
});
