import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { definitionsOf, readDirectory } from '../../../../datasets/directory/source-directory.ts';
import { directoryUpdateCommand } from '../../../../pipelines/commands/place/directory-update.ts';

const folder = mkdtempSync(join(tmpdir(), 'plat-directory-update-'));
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

it('a newer checkout of the directory takes the place of that of the build', async () => {
  const home = join(folder, 'home');
  const put = (path: string, value: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), value);
  };
  const county = { country: 'us', state: 'me', county: 'Penobscot' };
  put('sources/us/me/penobscot.json', JSON.stringify({ coverage: county, schema: 2, layers: { parcels: [] } }));
  const city = { country: 'us', state: 'al', city: 'Auburn' };
  put('sources/us/al/city_of_auburn.json', JSON.stringify({ coverage: city, schema: 2, layers: {} }));
  const copied = { country: 'us', state: 'me', county: 'Oxford', 'US Census': { geoid: '23019' } };
  put('sources/us/me/oxford.json', JSON.stringify({ coverage: copied, schema: 2, layers: {} }));
  put('sources/us/me/broken.json', '{');
  vi.stubEnv('PLAT_HOME', home);
  const said: string[] = [];
  const terminal = {
    json: false,
    interactive: false,
    out: (line: string) => said.push(line),
    err: (line: string) => said.push(line),
  };
  expect(await directoryUpdateCommand.run([folder], {}, terminal)).toBe(3);
  expect(said.join('\n')).toMatch(/left out: sources\/us\/me\/broken.json[\s\S]*with 3 definitions/);
  expect(said.join('\n')).toContain('me/oxford.json is taken as of 23017, although it has the code of 23019');
  const directory = readDirectory(home);
  expect(definitionsOf(directory, 'ME', '23019').map(({ path }) => path)).toEqual(['sources/us/me/penobscot.json']);
  // The county of a city is that of the edition before.
  expect(definitionsOf(directory, 'AL', '01081').map(({ path }) => path)).toEqual([
    'sources/us/al/city_of_auburn.json',
  ]);
  await expect(directoryUpdateCommand.run([home], {}, terminal)).rejects.toThrow('has no folder sources/us');
});
