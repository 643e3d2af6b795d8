import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestModule } from 'vitest/node';
import { CEPH_INSTALLED } from './ceph/installed.ts';
import { hasReleaseBefore } from './deploy/release-before.ts';
import { mayMakeNetworks } from './pipelines/workers/cut-line.ts';
import { mayMount } from './query/release/pull/small-disk.ts';

/** What tests compare Plat with, or run it against, that neither a bare system nor the project brings. */
interface Oracle {
  /** The tag of tests that want it: without it they are skipped. */
  readonly name: string;
  /** Debian packages; where there are none, `from` says where else it comes from. */
  readonly packages?: readonly string[];
  readonly from?: string;
  /** Programs of it that tests run; test/house knows no others. */
  readonly programs?: readonly string[];
  readonly present: () => boolean;
}

const runs = (program: string, ...args: string[]) => spawnSync(program, args).error === undefined;
const inHere = (path: string) => existsSync(fileURLToPath(new URL(`../${path}`, import.meta.url)));
const installed = (pattern: string) => globSync(pattern).length > 0;
const hasPackage = (name: string) => existsSync(`/usr/lib/python3/dist-packages/${name}`);
const hasPostgres = () => installed('/usr/lib/postgresql/*/bin/initdb');

export const ORACLES: readonly Oracle[] = [
  {
    name: 'GDAL',
    packages: ['gdal-bin'],
    programs: [
      ...['ogr2ogr', 'ogrinfo', 'gdalinfo', 'gdal_translate', 'gdalwarp', 'gdaldem'],
      ...['gdallocationinfo', 'gdaltransform'],
    ],
    // 3.6 or later: it wrote no geodatabases before.
    present: () => {
      const [, major, minor] =
        /GDAL (\d+)\.(\d+)/.exec(spawnSync('ogr2ogr', ['--version'], { encoding: 'utf8' }).stdout ?? '') ?? [];
      return Number(major) * 100 + Number(minor) >= 306;
    },
  },
  { name: 'PostgreSQL', packages: ['postgresql'], present: hasPostgres },
  {
    name: 'PostGIS',
    packages: ['postgresql-postgis'],
    present: () => hasPostgres() && installed('/usr/share/postgresql/*/extension/postgis.control'),
  },
  {
    name: 'pgRouting',
    packages: ['postgresql-15-pgrouting'],
    present: () => hasPostgres() && installed('/usr/share/postgresql/*/extension/pgrouting.control'),
  },
  {
    name: 'PgBouncer',
    packages: ['pgbouncer'],
    programs: ['pgbouncer'],
    present: () => hasPostgres() && existsSync('/usr/sbin/pgbouncer'),
  },
  { name: 'Chromium', packages: ['chromium'], present: () => existsSync('/usr/bin/chromium') },
  {
    name: 'Firefox',
    packages: ['firefox-esr', 'xvfb'],
    programs: ['firefox-esr', 'Xvfb'],
    present: () => existsSync('/usr/bin/firefox-esr') && existsSync('/usr/bin/Xvfb'),
  },
  {
    name: 'WebKit',
    packages: ['webkit2gtk-driver', 'xvfb'],
    programs: ['WebKitWebDriver', 'Xvfb'],
    present: () => existsSync('/usr/bin/WebKitWebDriver') && existsSync('/usr/bin/Xvfb'),
  },
  { name: 'curl', packages: ['curl'], programs: ['curl'], present: () => runs('curl', '--version') },
  { name: 'jq', packages: ['jq'], programs: ['jq'], present: () => runs('jq', '--version') },
  { name: 'OpenSSL', packages: ['openssl'], programs: ['openssl'], present: () => runs('openssl', 'version') },
  { name: 'Python', packages: ['python3'], programs: ['python3'], present: () => runs('python3', '--version') },
  {
    name: 'prlimit',
    packages: ['util-linux'],
    programs: ['prlimit'],
    present: () => runs('prlimit', '--version'),
  },
  {
    name: 'tmpfs',
    from: 'root, who may mount a disk in memory',
    programs: ['mount', 'umount'],
    present: () => mayMount(join(tmpdir(), `plat-mount-${process.pid}`)),
  },
  {
    name: 'mount-namespace',
    from: 'root, who may see disks otherwise than others do',
    programs: ['unshare'],
    present: () => spawnSync('unshare', ['--mount', 'true']).status === 0 && process.getuid?.() === 0,
  },
  {
    name: 'systemd',
    packages: ['systemd'],
    programs: ['systemd-analyze'],
    present: () => runs('systemd-analyze', '--version'),
  },
  {
    name: 'promtool',
    packages: ['prometheus'],
    programs: ['promtool'],
    present: () => runs('promtool', '--version'),
  },
  { name: 'published-files', from: 'the folder ../shared/data', present: () => inHere('../shared/data/SOURCES.md') },
  { name: 'design', from: 'the folder ../shared/design', present: () => inHere('../shared/design/fetch_fields.csv') },
];

/** What only tests of `make test-long` want. */
export const LONG_ORACLES: readonly Oracle[] = [
  {
    name: 'Ceph',
    packages: ['ceph-mon', 'ceph-osd', 'ceph-common', 'radosgw'],
    programs: ['ceph', 'ceph-authtool', 'ceph-mon', 'ceph-osd', 'monmaptool', 'radosgw', 'radosgw-admin'],
    present: () => CEPH_INSTALLED,
  },
  {
    name: 'networks',
    packages: ['iproute2'],
    from: 'root, who may make networks of the kernel',
    programs: ['ip'],
    present: mayMakeNetworks,
  },
  {
    name: 'vsftpd',
    packages: ['vsftpd'],
    programs: ['vsftpd'],
    // It serves strangers in a jail, which only root makes.
    present: () => existsSync('/usr/sbin/vsftpd') && process.getuid?.() === 0,
  },
  { name: 'nginx', packages: ['nginx-light'], programs: ['nginx'], present: () => existsSync('/usr/sbin/nginx') },
  { name: 'Apache', packages: ['apache2'], programs: ['apache2'], present: () => existsSync('/usr/sbin/apache2') },
  {
    name: 'MapServer',
    packages: ['cgi-mapserver'],
    programs: ['mapserv'],
    present: () => existsSync('/usr/bin/mapserv') && existsSync('/usr/share/mapserver/ogcapi'),
  },
  {
    // Another python3 that stands before it on the PATH has none of Debian's packages.
    name: 'Debian-Python',
    packages: ['python3'],
    programs: ['/usr/bin/python3'],
    present: () => existsSync('/usr/bin/python3'),
  },
  { name: 'QGIS', packages: ['python3-qgis'], present: () => hasPackage('qgis') },
  {
    name: 'geopandas',
    packages: ['python3-pandas', 'python3-geopandas', 'python3-matplotlib', 'python3-nbclient', 'python3-ipykernel'],
    present: () => ['geopandas', 'matplotlib', 'nbclient', 'ipykernel'].every(hasPackage),
  },
  {
    name: 'black',
    packages: ['black', 'mypy'],
    programs: ['/usr/bin/black', '/usr/bin/mypy'],
    present: () => existsSync('/usr/bin/black') && existsSync('/usr/bin/mypy'),
  },
  { name: 'history', from: 'a clone that reaches back to the release before', present: hasReleaseBefore },
  { name: 'Koop', from: '`make koop`', present: () => inHere('.koop/.installed') },
  { name: 'Valhalla', from: '`make valhalla`', present: () => inHere('.valhalla/.installed') },
  {
    name: 'MCP-clients',
    from: '`make mcp-clients`',
    programs: ['mcp-inspector', 'conformance'],
    present: () => inHere('.mcp-clients/.installed'),
  },
];

const all = process.env.PLAT_TEST === 'long' ? [...ORACLES, ...LONG_ORACLES] : ORACLES;
const absent = new Set(all.filter(({ present }) => !present()));

/** Tags for vitest: it skips tests that want an absent oracle. */
export const ORACLE_TAGS = [...ORACLES, ...LONG_ORACLES].map(oracle => ({
  name: oracle.name,
  ...(absent.has(oracle) ? { skip: true } : {}),
}));

/** Lines about skipped tests. @param skipped the tags of each. */
export function skippedLines(skipped: readonly (readonly string[])[], missing: Iterable<Oracle>): string[] {
  const lines: string[] = [];
  const packages: string[] = [];
  for (const { name, packages: own = [], from } of missing) {
    const count = skipped.filter(tags => tags.includes(name)).length;
    const source = [...(own.length > 0 ? [`Debian: ${own.join(' ')}`] : []), ...(from ? [from] : [])].join('; ');
    lines.push(`Oracle absent: ${name} (${source}): ${count} ${count === 1 ? 'test was' : 'tests were'} skipped`);
    packages.push(...own);
  }
  if (packages.length > 0)
    lines.push(
      `On Debian this brings what is missing: apt-get install --no-install-recommends ${[...new Set(packages)].join(' ')}`,
    );
  return lines;
}

/** Says, after the last test, how many tests were skipped for want of which oracle: a run without them proves less. */
export const oracleReport = {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap(module => [...module.children.allTests()]);
    const skipped = tests.filter(test => test.result().state === 'skipped').map(({ tags }) => tags);
    for (const line of skippedLines(skipped, absent)) console.log(line);
    if (absent.size === 0) console.log(`All oracles were present: ${all.map(({ name }) => name).join(', ')}.`);
  },
};
