import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CEPH_INSTALLED } from './ceph/installed.ts';
import { mayMakeNetworks } from './pipelines/workers/cut-line.ts';
import { mayMount } from './query/release/pull/small-disk.ts';

/** What tests compare Plat with, or run it against, that the project does not install by itself. */
interface Oracle {
  readonly name: string;
  readonly from: string;
  readonly present: () => boolean;
}

const ORACLES: readonly Oracle[] = [
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

/** What only tests of `make test-long` need. */
const LONG_ORACLES: readonly Oracle[] = [
  {
    name: 'Ceph (radosgw)',
    from: 'Debian packages ceph-mon, ceph-osd, ceph-common, radosgw',
    present: () => CEPH_INSTALLED,
  },
  {
    name: 'networks of the kernel (ip netns)',
    from: 'root, and Debian package iproute2',
    present: mayMakeNetworks,
  },
  {
    name: 'disks in memory (mount -t tmpfs)',
    from: 'root',
    present: () => mayMount(join(tmpdir(), `plat-mount-${process.pid}`)),
  },
];

/** Says, after the last test, which oracles were absent: a run without them proves less. */
export default function setup(): () => void {
  return () => {
    const oracles = process.env.PLAT_TEST === 'long' ? [...ORACLES, ...LONG_ORACLES] : ORACLES;
    const absent = oracles.filter(oracle => !oracle.present());
    for (const { name, from } of absent) console.log(`Oracle absent, its tests were skipped: ${name} (${from})`);
    if (absent.length === 0) console.log(`All oracles were present: ${oracles.map(({ name }) => name).join(', ')}.`);
  };
}
