import { mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Agent, Connection } from './agents.ts';

/** Name of the service in files of agents. */
const NAME = 'plat';

const toml = (value: unknown): string =>
  Array.isArray(value) ? `[${value.map(toml).join(', ')}]` : JSON.stringify(String(value));

/** The table of a TOML file: strings of JSON are strings of TOML. */
const tomlTable = (agent: Agent, connection: Connection): string =>
  [
    `[${agent.servers}.${NAME}]`,
    ...Object.entries(agent.entry(connection)).map(([key, value]) => `${key} = ${toml(value)}`),
    '',
  ].join('\n');

/** What a file needs to hold, for who writes it by hand. */
export const snippetOf = (agent: Agent, connection: Connection): string =>
  agent.format === 'toml'
    ? tomlTable(agent, connection)
    : JSON.stringify({ [agent.servers]: { [NAME]: agent.entry(connection) } }, null, 2);

/** The file with the service in it. @throws Error that says what is wrong with the file, which is then left as it is. */
function merged(agent: Agent, connection: Connection, file: string, text: string): string {
  if (agent.format === 'toml') {
    // A whole table is replaced: it ends where the next begins.
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
 * Writes a file whole or not at all, with the mode that it had; a link stays one.
 * @throws Error of the file system; the old file stays.
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
 * Tells an agent of the service in its file; what else stands there stays.
 * @returns whether the file was changed.
 * @throws Error naming the file when it cannot be read or written, or is not what the agent writes.
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
