import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { catalog } from '../datasets/catalog.ts';
import { SECTIONS } from '../server/docs/site/sections.ts';
import { openFixture } from '../test/server/service-fixture.ts';

/** What a site of files cannot have, because nothing serves it. */
const SERVED_ALONE = ['<a href="/console">Console</a>'];

/** The file of an address: a page is a folder with an index, as servers of files look for it. */
const fileOf = (path: string): string => (/\.\w+$/.test(path) ? path : join(path, 'index.html'));

/**
 * Writes the documentation as files that any web server can serve from its root: what a server without a release shows.
 * @param folder is replaced.
 * @returns how many files it has.
 */
export async function writeSite(folder: string): Promise<number> {
  await using fixture = await openFixture({ catalog });
  fixture.engine.current = { ...fixture.engine.current, release: null, datasets: {} };
  fixture.engine.sources = [];
  const { body: described } = await fixture.app.inject('/v1/openapi.json');
  const { paths } = JSON.parse(described) as { paths: Record<string, Record<string, { operationId: string }>> };
  const operations = Object.values(paths).flatMap(item => Object.values(item).map(one => one.operationId));
  const { body: fields } = await fixture.app.inject('/v1/meta/fields');
  const { fields: named, further_names } = JSON.parse(fields) as Record<'fields' | 'further_names', { name: string }[]>;
  const addresses = [
    ...['/docs', '/docs/fields', '/docs/search.json', '/v1/docs', '/v1/openapi.json', '/llms.txt', '/plat.svg'],
    ...SECTIONS.flatMap(({ pages }) => pages.map(({ name }) => `/docs/${name}`)),
    ...[...named, ...further_names].map(({ name }) => `/docs/fields/${name}`),
    ...operations.map(id => `/v1/docs/${id}.md`),
  ];
  rmSync(folder, { recursive: true, force: true });
  for (const address of addresses) {
    const reply = await fixture.app.inject(address);
    if (reply.statusCode !== 200)
      throw new Error(`${address} is ${reply.statusCode}: build the explorer with make web`);
    const path = join(folder, fileOf(address));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(
      path,
      SERVED_ALONE.reduce((text, part) => text.replace(part, ''), reply.body),
    );
  }
  writeFileSync(join(folder, 'index.html'), '<!doctype html><meta http-equiv="refresh" content="0; url=/docs/">\n');
  return addresses.length + 1;
}

if (process.argv[2] === 'write') {
  const folder = process.argv[3] ?? 'site';
  console.log(`${await writeSite(folder)} files of the documentation in ${folder}/`);
}
