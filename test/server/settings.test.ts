import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Terminal } from '../../query/engine/command.ts';
import { SETTINGS } from '../../query/engine/settings.ts';
import { renderSettings, settingsCommand } from '../../server/commands/settings.ts';

const root = new URL('../../', import.meta.url);

function terminal(json = false): Terminal & { readonly lines: string[] } {
  const lines: string[] = [];
  return { json, interactive: false, lines, out: line => lines.push(line), err: () => {} };
}

afterEach(() => {
  vi.unstubAllEnvs();
});

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
    // Whether terminals are painted is said to all programs alike (no-color.org).
    const declared = [...Object.values(SETTINGS).map(setting => setting.variable as string), 'NO_COLOR'];
    for (const name of ['plat.ts', ...files])
      for (const [, variable] of readFileSync(new URL(name, root), 'utf8').matchAll(/\benv\s*\??\.\s*([A-Z_]\w*)/g))
        expect(declared, name).toContain(variable);
    // Only the command line writes variables by computed name: flags become what the environment would have said.
    expect(files.filter(name => /process\.env\s*\[/.test(readFileSync(new URL(name, root), 'utf8')))).toEqual([]);
  });

  it('have the flags that the command line gives to every command', async () => {
    const { flagOf } = await import('../../plat.ts');
    for (const { variable } of Object.values(SETTINGS))
      expect(renderSettings()).toContain(`| \`${variable}\` | \`${flagOf(variable)}\` |`);
  });

  it('are printed with value and meaning, secrets without their value', async () => {
    const secret = 'never-print-this-secret-it-is-a-secret';
    vi.stubEnv('PLAT_TOKEN_SECRET', secret);
    vi.stubEnv('PORT', '4711');
    vi.stubEnv('PLAT_STATE_URL', `postgres://user:${secret}@host/db`);
    const plain = terminal();
    await settingsCommand.run([], {}, plain);
    expect(plain.lines.join('\n')).toContain('PORT=4711  --port');
    const json = terminal(true);
    await settingsCommand.run([], {}, json);
    const rows = JSON.parse(json.lines.join('')) as { variable: string; value: unknown; meaning: string }[];
    expect(rows.map(row => row.variable)).toEqual(Object.values(SETTINGS).map(setting => setting.variable));
    expect(rows.find(row => row.variable === 'PLAT_TOKEN_SECRET')!.value).toBe('(given)');
    expect(rows.find(row => row.variable === 'PLAT_STATE_URL')!.value).toBe('(given)');
    expect(rows.find(row => row.variable === 'PLAT_CURSOR_SECRET')!.value).toBeNull();
    expect([...plain.lines, ...json.lines].join()).not.toContain(secret);
  });

  it('that are wrong are refused by name', async () => {
    vi.stubEnv('PORT', 'many');
    await expect(settingsCommand.run([], {}, terminal())).rejects.toThrow(
      'PORT=many: expected a whole number from 0 to 65535',
    );
    vi.stubEnv('PORT', '8080');
    for (const wrong of [
      'tiles.example.org/{z}/{x}/{y}',
      'http://tiles.example.org/{z}/{x}/{y}.jpg',
      'https://{x}.example.org/{z}/{y}',
      'https://u:p@a.org/{z}/{x}/{y}',
      'https://a.org/{z}/{x}',
    ]) {
      vi.stubEnv('PLAT_MAP_IMAGERY', wrong);
      await expect(settingsCommand.run([], {}, terminal())).rejects.toThrow(
        'PLAT_MAP_IMAGERY: expected an https:// address with {z}, {x} and {y}',
      );
    }
  });
});
