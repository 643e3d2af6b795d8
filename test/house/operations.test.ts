import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const text = readFileSync(new URL('docs/operations.md', root), 'utf8');

it('docs/operations.md explains every line that a server logs', () => {
  const names = readdirSync(new URL('server/', root), { recursive: true, encoding: 'utf8' });
  const messages = names
    .filter(name => name.endsWith('.ts'))
    .map(name => readFileSync(new URL(`server/${name}`, root), 'utf8'))
    .flatMap(source => [
      ...source.matchAll(/[lL]og(?:ger)?\s*\.(?:error|warn|info)\(\s*[\s\S]{0,300}?'([a-z][^']+)',?\s*\)/g),
    ])
    .map(match => match[1]!);
  expect(messages.length).toBeGreaterThan(7);
  expect(messages.filter(message => !text.includes(`| \`${message}\` |`))).toEqual([]);
});

it('docs/operations.md names only settings and commands that there are', async () => {
  const { SETTINGS } = await import('../../query/engine/settings.ts');
  const { loadCommands } = await import('../../plat.ts');
  const variables = new Set<string>(Object.values(SETTINGS).map(setting => setting.variable));
  const named = [...text.matchAll(/\bPLAT_[A-Z_]+\b/g)].map(([name]) => name);
  expect(named.filter(name => !variables.has(name))).toEqual([]);
  const commands = (await loadCommands()).map(({ name }) => name);
  const used = [...text.matchAll(/`plat ([a-z]+(?: [a-z]+)?)/g)].map(match => match[1]!);
  const isThere = (words: string) =>
    commands.some(name => name === words || name.startsWith(`${words} `) || words.startsWith(`${name} `));
  expect(used.filter(words => !isThere(words))).toEqual([]);
});
