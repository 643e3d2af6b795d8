import { mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Agent, Connection } from './agents.ts';

/** Name of the service in the files of agents. */
const NAME = 'plat';

const toml = (value: unknown): string =>
  Array.isArray(value) ? `[${value.map(toml).join(', ')}]` : JSON.stringify(String(value));

/** The entry as a TOML table. JSON strings are valid TOML strings. */
const tomlTable = (agent: Agent, connection: Connection): string =>
  [
    `[${agent.servers}.${NAME}]`,
    ...Object.entries(agent.entry(connection)).map(([key, value]) => `${key} = ${toml(value)}`),
    '',
  ].join('\n');

/** The entry that a file needs, for users who write it themselves. */
export const snippetOf = (agent: Agent, connection: Connection): string =>
  agent.format === 'toml'
    ? tomlTable(agent, connection)
    : JSON.stringify({ [agent.servers]: { [NAME]: agent.entry(connection) } }, null, 2);

/** Adds the service to a file's text. @throws Error that says what is wrong with the file, which is not changed. */
function merged(agent: Agent, connection: Connection, file: string, text: string): string {
  if (agent.format === 'toml') {
    // Replaces a whole table, which ends where the next one begins.
    const table = new RegExp(
      `^\\[${agent.servers}\\.${NAME}\\][^]*?(?=^\\[(?!${agent.servers}\\.${NAME}\\.)|(?![^]))`,
      'm',
    );
    const mine = tomlTable(agent, connection);
    if (table.test(text))
      return text
        .replace(table, () => `${mine}\n`)
        .trimEnd()
        .concat('\n');
    return `${text.trim() === '' ? '' : `${text.trimEnd()}\n\n`}${mine}`;
  }
  let whole: unknown;
  try {
    whole = text.trim() === '' ? {} : JSON.parse(text);
  } catch {
    throw new Error(`${file} is not plain JSON (it may have comments): add the entry by hand`);
  }
  if (typeof whole !== 'object' || whole === null || Array.isArray(whole))
    throw new Error(`${file} does not hold an object: add the entry by hand`);
  const servers: unknown = (whole as Record<string, unknown>)[agent.servers] ?? {};
  if (typeof servers !== 'object' || servers === null || Array.isArray(servers))
    throw new Error(`${agent.servers} in ${file} is not an object: add the entry by hand`);
  const next = { ...whole, [agent.servers]: { ...servers, [NAME]: agent.entry(connection) } };
  return `${JSON.stringify(next, null, 2)}\n`;
}

/**
 * Replaces a file in one step and keeps its mode. A symbolic link stays a link.
 * @throws Error of the file system; the old file then stays.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const file = await realpath(path).catch(() => path);
  await mkdir(dirname(file), { recursive: true });
  const mode = await stat(file).then(
    found => found.mode & 0o777,
    () => 0o600,
  );
  const next = `${file}.${process.pid}.plat`;
  try {
    await writeFile(next, text, { mode });
    await rename(next, file);
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
}

/**
 * Adds the service to the file of an agent. Other entries are kept.
 * @returns whether the file was changed.
 * @throws Error that names the file when it cannot be read or written, or has another format than the agent's.
 */
export async function tellAgent(agent: Agent, connection: Connection, file: string): Promise<boolean> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const next = merged(agent, connection, file, text);
  if (next === text) return false;
  await replaceFile(file, next);
  return true;
}
