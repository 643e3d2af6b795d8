import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { flagOf, loadCommands } from '../../plat.ts';
import { readSettings, SETTINGS } from '../../query/engine/settings.ts';
import { root } from '../house/files.ts';
import { COMPOSE } from './compose.ts';
import { KINDS } from './kubernetes.ts';

const folder = join(root, 'docs/deploy');
const names = readdirSync(folder);
const text = (name: string) => readFileSync(join(folder, name), 'utf8');
const units = names.filter(name => /\.(?:service|timer)$/.test(name));
const services = units.filter(name => name.endsWith('.service'));

/** The values of a key of a unit file. */
const valuesOf = (unit: string, key: string) =>
  [...text(unit).matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value]) => value!);

/** Command lines of `plat` in a file: the words after the program. */
const commandsIn = (name: string): string[][] => {
  if (name === 'compose.yaml') return [];
  if (name.endsWith('.yaml')) return [...text(name).matchAll(/args: \[(.*)\]/g)].map(([, list]) => list!.split(', '));
  return [...text(name).matchAll(/\/opt\/plat\/plat (.+)$/gm)].map(([, line]) => line!.split(' '));
};

describe('files of deployment', () => {
  it('call commands of plat, with options that those have', async () => {
    const commands = await loadCommands();
    const settings = Object.values(SETTINGS).map(({ variable }) => flagOf(variable));
    const lines = names.flatMap(name => commandsIn(name).map(words => ({ name, words })));
    expect(lines.length).toBeGreaterThanOrEqual(6);
    for (const { name, words } of lines) {
      const command = commands
        .filter(each => words.join(' ').startsWith(each.name))
        .sort((a, b) => b.name.length - a.name.length)[0];
      expect(command, `${name}: ${words.join(' ')}`).toBeDefined();
      const options = [...command!.options.map(({ flags }) => flags.split(' ')[0]), ...settings];
      expect(
        words.filter(word => word.startsWith('--') && !options.includes(word)),
        name,
      ).toEqual([]);
    }
  });

  it('set only settings of plat, with one home in all units', () => {
    for (const unit of services) {
      const pairs = valuesOf(unit, 'Environment').flatMap(line => line.split(' ').map(pair => pair.split('=')));
      const known = Object.values(SETTINGS).map(({ variable }) => variable);
      expect(pairs.map(([name]) => name).filter(name => !known.includes(name as (typeof known)[number]))).toEqual([]);
      const { PLAT_HOME: home = '' } = Object.fromEntries(pairs) as Record<string, string>;
      expect(home, unit).toMatch(/^\/var\/lib\/plat(\/worker-%i)?$/);
      expect(valuesOf(unit, 'StateDirectory'), unit).toEqual(['plat']);
      expect(valuesOf(unit, 'User'), unit).toEqual(['plat']);
      expect(valuesOf(unit, 'MemoryMax'), unit).toHaveLength(1);
    }
    expect(readFileSync(join(root, 'Dockerfile'), 'utf8')).toContain('PLAT_HOME=/var/lib/plat ');
  });

  it('let a serving process have what docs/operations.md says that it takes', () => {
    const { memory } = readSettings({});
    const [, processes] = /PLAT_PROCESSES=(\d+)/.exec(text('plat.service'))!;
    const [most] = valuesOf('plat.service', 'MemoryMax');
    expect(Number(/^(\d+)M$/.exec(most!)![1])).toBeGreaterThanOrEqual(Number(processes) * (memory + 500));
  });

  it('let bodies through that plat takes', () => {
    const [, megabytes] = /client_max_body_size (\d+)m;/.exec(text('nginx.conf'))!;
    expect(Number(megabytes) * 1024 * 1024).toBeGreaterThan(readSettings({}).bodyLimit);
  });

  it('are each named by a page', () => {
    const pages = ['operations.md', 'refresh.md', 'scale.md', 'alerts.md'];
    const all = pages.map(page => readFileSync(join(root, 'docs', page), 'utf8')).join('\n');
    expect(names.filter(name => !all.includes(`(deploy/${name})`))).toEqual([]);
  });

  it('are objects of Kubernetes without a key that it does not have', () => {
    const ajv = new Ajv({ allErrors: true, strict: false });
    for (const document of parseAllDocuments(text('worker-job.yaml'))) {
      expect(document.errors).toEqual([]);
      const object = document.toJS() as { kind: keyof typeof KINDS };
      const check = ajv.compile(KINDS[object.kind]);
      expect(check(object), JSON.stringify(check.errors)).toBe(true);
      expect(check({ ...object, spek: {} })).toBe(false);
    }
  });

  it('are services of a compose file: with settings of plat, commands of it and volumes that there are', async () => {
    const file = parse(text('compose.yaml'), { merge: true }) as {
      services: Record<string, { environment?: object; command?: string[]; volumes: string[]; depends_on?: object }>;
      volumes: object;
    };
    const check = new Ajv({ allErrors: true, strict: false, allowUnionTypes: true }).compile(COMPOSE);
    expect(check(file), JSON.stringify(check.errors)).toBe(true);
    expect(check({ ...file, servises: {} })).toBe(false);
    const known = Object.values(SETTINGS).map(({ variable }) => variable);
    const commands = (await loadCommands()).map(({ name }) => name);
    for (const [name, { environment = {}, command = ['serve'], volumes, depends_on = {} }] of Object.entries(
      file.services,
    )) {
      if (name !== 'db') {
        expect(Object.keys(environment).filter(one => !(known as string[]).includes(one))).toEqual([]);
        expect(commands).toContain(command.join(' '));
      }
      expect(Object.keys(file.volumes)).toEqual(expect.arrayContaining(volumes.map(one => one.split(':')[0]!)));
      expect(Object.keys(file.services)).toEqual(expect.arrayContaining(Object.keys(depends_on)));
    }
    // A shared state store wants the same secrets of every server (docs/operations.md).
    for (const name of ['PLAT_STATE_URL', 'PLAT_TOKEN_SECRET', 'PLAT_CURSOR_SECRET'])
      expect([name, file.services.plat!.environment, file.services.worker!.environment]).toEqual([
        name,
        expect.objectContaining({ [name]: expect.any(String) }),
        expect.objectContaining({ [name]: expect.any(String) }),
      ]);
  });

  it('are options of sbatch, before the first command', () => {
    const lines = text('worker-array.sh').split('\n');
    const first = lines.findIndex(line => line !== '' && !line.startsWith('#'));
    const given = lines.flatMap((line, i) => (line.startsWith('#SBATCH ') ? [{ line, early: i < first }] : []));
    const options =
      /^#SBATCH --(?:job-name=[\w-]+|array=\d+-\d+(?:%\d+)?|ntasks=\d+|cpus-per-task=\d+|mem=\d+[KMGT]|time=(?:\d+-)?\d+:\d\d:\d\d|requeue|signal=(?:[BR]+:)?[A-Z]+@\d+|output=\S+)$/;
    expect(given.length).toBeGreaterThan(5);
    expect(given.filter(({ line, early }) => !early || !options.test(line))).toEqual([]);
    execFileSync('bash', ['-n', join(folder, 'worker-array.sh')]);
  });
});

describe('units', { tags: ['systemd'] }, () => {
  it('are what systemd reads', () => {
    const there = mkdtempSync(join(tmpdir(), 'plat-units-'));
    try {
      // The program is not installed here.
      for (const unit of units) writeFileSync(join(there, unit), text(unit).replaceAll('/opt/plat/plat', '/bin/true'));
      const paths = units.map(unit => join(there, unit.replace('@.', '@1.')));
      for (const [i, unit] of units.entries())
        if (unit.includes('@')) writeFileSync(paths[i]!, readFileSync(join(there, unit)));
      const verified = execFileSync('systemd-analyze', ['verify', '--man=no', '--recursive-errors=no', ...paths], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      expect(verified).toBe('');
    } finally {
      rmSync(there, { recursive: true, force: true });
    }
  });
});
