import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { places } from '../../../datasets/places.ts';
import { Client } from '../../../ingest/acquire/client.ts';
import { parseMirror } from '../../../ingest/acquire/mirror.ts';
import { builtInPlace } from '../../../pipelines/place/place-schema.ts';
import { fetchFiles } from '../../../pipelines/refresh/downloads.ts';
import { PlaceBook } from '../../../pipelines/refresh/place-book.ts';
import { publishedFiles } from '../../../pipelines/refresh/published-files.ts';
import { filesOfPlace } from '../../../pipelines/steps/acquire.ts';
import { root } from '../../house/files.ts';
import { Publisher } from '../../ingest/acquire/publisher.ts';
import { SILENT } from '../../pipelines/silent.ts';
import { MISSING, present, SOURCES } from '../bangor.ts';
import { plainOf, publishPlace } from './built-publisher.ts';

const BUILT = [...places.keys()].filter(name => name !== 'synthetic');

it.each(BUILT)('%s says of each file that it reads where a public repository has it, at a commit', name => {
  const { files = {} } = builtInPlace(name);
  expect(Object.keys(files).sort()).toEqual([...filesOfPlace(builtInPlace(name)).keys()].sort());
  for (const { url } of Object.values(files))
    expect(url).toMatch(/^https:\/\/raw\.githubusercontent\.com\/[\w.-]+\/[\w.-]+\/[0-9a-f]{40}\/\S+$/);
});

it.each(BUILT)('%s is exported whole in a test', name => {
  const texts = globSync('test/real/**/*.test.ts', { cwd: root }).map(path => readFileSync(join(root, path), 'utf8'));
  const town = name.replace(/-\w\w$/, '');
  const exporting = texts.filter(text => text.includes(`'${name}'`) || text.includes(`exportedWhole(${town}.`));
  expect(exporting.some(text => text.includes('await exportedWhole('))).toBe(true);
});

describe.skipIf(!present)(
  `the files of built places${present ? '' : ` (${MISSING})`}`,
  { tags: ['published-files'] },
  () => {
    const publisher = new Publisher();
    const folder = mkdtempSync(join(tmpdir(), 'plat-built-'));
    beforeAll(() => publisher.start());
    afterAll(async () => {
      await publisher.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    it('stand in the list of sources with the repository, the commit and the path of their address', () => {
      const listed = readFileSync(join(SOURCES, 'SOURCES.md'), 'utf8');
      for (const name of BUILT)
        for (const [file, { url = '' }] of Object.entries(builtInPlace(name).files ?? {})) {
          // The archive of time zones is one that nothing here unpacks; the publisher's own repository has them plain.
          if (file === 'national/time_zones_us.geojson.gz') continue;
          const [, repository, commit, path] =
            /^https:\/\/[^/]+\/([^/]+\/[^/]+)\/([0-9a-f]{12})[0-9a-f]{28}\/(.*)$/.exec(url)!;
          const line = listed.split('\n').find(text => text.startsWith(`| ${file} |`));
          expect(line, file).toContain(`${repository}@${commit} : ${path}`);
        }
    });

    it.each(BUILT)('of %s come from their addresses as they are in the folder of sources', async name => {
      const place = builtInPlace(name);
      await publishPlace(publisher, place);
      const sources = join(folder, name);
      const client = new Client({ mirror: parseMirror(`*=${publisher.origin}`), wait: async () => {} });
      const book = new PlaceBook(join(folder, 'home'));
      const files = publishedFiles(place);
      await fetchFiles({ place, sources, files }, { client, now: () => new Date(), progress: SILENT, book });
      await client.close();
      for (const [file, { url = '', via }] of Object.entries(place.files!)) {
        if (via === 'parts') continue;
        const body = readFileSync(join(sources, file));
        const plain = /\.gz$/.test(file) && !/\.gz$/.test(url) ? gunzipSync(body) : body;
        expect(plain.equals(plainOf(file, url)), file).toBe(true);
      }
      publisher.files.clear();
    });
  },
);
