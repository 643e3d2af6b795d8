import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What tests compare Plat with, or run it against, that the project does not install by itself. */
const ORACLES: readonly { readonly name: string; readonly from: string; readonly present: () => boolean }[] = [
  {
    name: 'GDAL (ogr2ogr)',
    from: 'Debian package gdal-bin',
    present: () => spawnSync('ogr2ogr', ['--version']).status === 0,
  },
  {
    name: 'PostgreSQL (initdb)',
    from: 'Debian package postgresql',
    present: () => globSync('/usr/lib/postgresql/*/bin/initdb').length > 0,
  },
  {
    name: 'PostGIS',
    from: 'Debian package postgresql-postgis',
    present: () => globSync('/usr/share/postgresql/*/extension/postgis.control').length > 0,
  },
  {
    name: 'pgRouting',
    from: 'Debian package postgresql-15-pgrouting',
    present: () => globSync('/usr/share/postgresql/*/extension/pgrouting.control').length > 0,
  },
  {
    name: 'Chromium',
    from: 'Debian package chromium',
    present: () => existsSync('/usr/bin/chromium'),
  },
  {
    name: 'published files (../shared/data)',
    from: 'the folder beside the checkout',
    present: () => existsSync(fileURLToPath(new URL('../../shared/data', import.meta.url))),
  },
];

/** Says, after the last test, which oracles were absent: a run without them proves less. */
export default function setup(): () => void {
  return () => {
    const absent = ORACLES.filter(oracle => !oracle.present());
    for (const { name, from } of absent) console.log(`Oracle absent, its tests were skipped: ${name} (${from})`);
    if (absent.length === 0)
      console.log('All oracles were present: GDAL, PostgreSQL, PostGIS, pgRouting, Chromium, published files.');
  };
}
