import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, UsageError } from '../../../query/engine/command.ts';

/** Paths of the definitions of the United States in a checkout. @throws UsageError where there are none. */
function definitionFiles(folder: string): string[] {
  try {
    const names = readdirSync(join(folder, 'sources/us'), { recursive: true }).map(String);
    return names
      .filter(name => name.endsWith('.json'))
      .map(name => `sources/us/${name.replaceAll('\\', '/')}`)
      .sort();
  } catch {
    throw new UsageError(
      `${folder} has no folder sources/us; expected a checkout of github.com/openaddresses/openaddresses`,
    );
  }
}

/** `plat directory update`: takes a newer edition of the directory of sources. */
export const directoryUpdateCommand: Command = {
  name: 'directory update',
  example: 'plat directory update ../openaddresses',
  summary:
    'Take the definitions of where counties publish parcels and addresses from a checkout of OpenAddresses; plat place new reads them instead of those of this build.',
  args: ['<folder>'],
  options: [],
  async run([folder = ''], _options, terminal) {
    const [{ directoryBytes, OWN_COPY, readDirectory }, { coverageOf }, { readSettings }] = await Promise.all([
      import('../../../datasets/directory/source-directory.ts'),
      import('../../../datasets/directory/coverage.ts'),
      import('../../../query/engine/settings.ts'),
    ]);
    const before = readDirectory();
    const counties = new Map(before.definitions.map(definition => [definition.path, definition.counties]));
    const faults: string[] = [];
    const definitions = definitionFiles(folder).flatMap(path => {
      try {
        const { coverage, layers } = JSON.parse(readFileSync(join(folder, path), 'utf8'));
        if (typeof coverage !== 'object' || typeof layers !== 'object') throw new Error('no coverage or no layers');
        return [{ path, ...coverageOf(coverage, path, counties.get(path)), layers }];
      } catch (error) {
        faults.push(`${path}: ${(error as Error).message}`);
        return [];
      }
    });
    if (definitions.length === 0) throw new UsageError(`${folder} has no definition that can be read`);
    for (const fault of faults) terminal.err(`left out: ${fault}`);
    const lost = definitions.filter(one => /county|city/.test(one.scope) && one.counties.length === 0);
    for (const { path } of lost) terminal.err(`covers no county that is known: ${path}`);
    for (const { path, counties: own, contradicts } of definitions)
      if (contradicts)
        terminal.err(
          `${path} is taken as of ${own.join() || 'no county'}, although it has the code of ${contradicts.join()}`,
        );
    const { home } = readSettings(process.env);
    mkdirSync(home, { recursive: true });
    const path = join(home, OWN_COPY);
    const edition = { ...before.edition, date: new Date().toISOString().slice(0, 10) };
    writeFileSync(`${path}.part`, directoryBytes({ edition, definitions }));
    renameSync(`${path}.part`, path);
    const report = { path, definitions: definitions.length, faults, withoutCounty: lost.map(({ path: of }) => of) };
    terminal.out(terminal.json ? JSON.stringify(report) : `wrote ${path} with ${definitions.length} definitions`);
    return faults.length > 0 ? 3 : 0;
  },
};
