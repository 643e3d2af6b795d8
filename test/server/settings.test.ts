import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Terminal } from '../../query/command.ts';
import { SETTINGS } from '../../query/settings.ts';
import { commandSettings, renderSettings, settingOptions, settingsCommand } from '../../server/commands/settings.ts';

const root = new URL('../../', import.meta.url);

function terminal(json = false): Terminal & { readonly lines: string[] } {
  const lines: string[] = [];
  return { json, interactive: false, lines, out: line => lines.push(line), err: () => {} };
}

describe('settings', () => {
  it('are what docs/settings.md says', async () => {
    const text = readFileSync(new URL('docs/settings.md', root), 'utf8');
    expect(text).toBe(renderSettings());
    for (const { variable } of Object.values(SETTINGS)) expect(text).toContain(`| \`${variable}\` |`);
    const printed = terminal();
    expect(await settingsCommand.run([], { markdown: true }, printed)).toBe(0);
    expect(`${printed.lines.join('\n')}\n`).toBe(text);
  });

  it('are the only environment variables that the code reads', () => {
    const rooms = ['datasets', 'ingest', 'pipelines', 'query', 'server'];
    const files = rooms.flatMap(room =>
      readdirSync(new URL(`${room}/`, root), { recursive: true, encoding: 'utf8' })
        .filter(name => name.endsWith('.ts'))
        .map(name => `${room}/${name}`),
    );
    expect(files.length).toBeGreaterThan(20);
    const reading = files.filter(name => /process\.env\s*[.[]/.test(readFileSync(new URL(name, root), 'utf8')));
    expect(reading).toEqual([]);
  });

  it('give each but the secrets a flag that wins over the environment', () => {
    const flags = settingOptions().map(option => option.flags);
    expect(flags).toContain('--port <value>');
    expect(flags).toContain('--state-url <value>');
    expect(flags).toContain('--max-connections <value>');
    expect(flags.join()).not.toContain('secret');
    expect(commandSettings({ port: '1234', stateUrl: 'x', tokenSecret: 'y'.repeat(40) })).toMatchObject({
      port: 1234,
      stateUrl: 'x',
      tokenSecret: null,
    });
    expect(() => commandSettings({ port: 'many' })).toThrow(
      expect.objectContaining({ name: 'UsageError', message: 'PORT=many: expected a whole number from 0 to 65535' }),
    );
  });

  it('are printed with value and meaning, secrets without their value', async () => {
    const secret = 'never print this secret, it is a secret';
    const before = process.env.PLAT_TOKEN_SECRET;
    process.env.PLAT_TOKEN_SECRET = secret;
    try {
      const plain = terminal();
      await settingsCommand.run([], { port: '4711' }, plain);
      expect(plain.lines.join('\n')).toContain('PORT=4711  --port');
      const json = terminal(true);
      await settingsCommand.run([], { port: '4711' }, json);
      const rows = JSON.parse(json.lines.join('')) as { variable: string; value: unknown; meaning: string }[];
      expect(rows.map(row => row.variable)).toEqual(Object.values(SETTINGS).map(setting => setting.variable));
      expect(rows.find(row => row.variable === 'PLAT_TOKEN_SECRET')!.value).toBe('(given)');
      expect([...plain.lines, ...json.lines].join()).not.toContain(secret);
    } finally {
      if (before === undefined) delete process.env.PLAT_TOKEN_SECRET;
      else process.env.PLAT_TOKEN_SECRET = before;
    }
  });
});
