import { join } from 'node:path';

/** How an agent reaches the service: a program over stdio, or a URL. */
export type Connection =
  | { readonly kind: 'program'; readonly command: string; readonly args: readonly string[] }
  | { readonly kind: 'address'; readonly url: string };

/** The user's machine, as far as the files of agents depend on it. */
interface Machine {
  readonly home: string;
  readonly platform: NodeJS.Platform;
}

/** An agent that speaks the protocol, and the file in which it lists servers. */
export interface Agent {
  readonly name: string;
  readonly title: string;
  readonly file: (machine: Machine) => string;
  readonly format: 'json' | 'toml';
  /** Key in the file under which servers are listed. */
  readonly servers: string;
  readonly entry: (connection: Connection) => Readonly<Record<string, unknown>>;
  /** True when it cannot connect to a URL. */
  readonly programOnly?: boolean;
  /** Folder where it looks for skills; absent when it has none. */
  readonly skill?: (machine: Machine) => string;
}

const program = (connection: Connection) =>
  connection.kind === 'program' ? { command: connection.command, args: [...connection.args] } : null;

/** Makes entries; each agent has its own name for the URL. */
const entryOf =
  (address: string, more: Readonly<Record<string, string>> = {}, stdio: Readonly<Record<string, string>> = {}) =>
  (connection: Connection) =>
    connection.kind === 'address' ? { ...more, [address]: connection.url } : { ...stdio, ...program(connection) };

const configFolder = ({ home, platform }: Machine) =>
  platform === 'darwin'
    ? join(home, 'Library', 'Application Support')
    : platform === 'win32'
      ? join(home, 'AppData', 'Roaming')
      : join(home, '.config');

/** The supported agents. To support another one, add an entry here. */
export const AGENTS: readonly Agent[] = [
  {
    name: 'claude-code',
    title: 'Claude Code',
    file: ({ home }) => join(home, '.claude.json'),
    format: 'json',
    servers: 'mcpServers',
    entry: entryOf('url', { type: 'http' }, { type: 'stdio' }),
    skill: ({ home }) => join(home, '.claude', 'skills', 'plat', 'SKILL.md'),
  },
  {
    name: 'claude-desktop',
    title: 'Claude Desktop',
    file: machine => join(configFolder(machine), 'Claude', 'claude_desktop_config.json'),
    format: 'json',
    servers: 'mcpServers',
    entry: entryOf('url'),
    programOnly: true,
  },
  {
    name: 'cursor',
    title: 'Cursor',
    file: ({ home }) => join(home, '.cursor', 'mcp.json'),
    format: 'json',
    servers: 'mcpServers',
    entry: entryOf('url'),
  },
  {
    name: 'vscode',
    title: 'Visual Studio Code',
    file: machine => join(configFolder(machine), 'Code', 'User', 'mcp.json'),
    format: 'json',
    servers: 'servers',
    entry: entryOf('url', { type: 'http' }, { type: 'stdio' }),
  },
  {
    name: 'windsurf',
    title: 'Windsurf',
    file: ({ home }) => join(home, '.codeium', 'windsurf', 'mcp_config.json'),
    format: 'json',
    servers: 'mcpServers',
    entry: entryOf('serverUrl'),
  },
  {
    name: 'gemini',
    title: 'Gemini CLI',
    file: ({ home }) => join(home, '.gemini', 'settings.json'),
    format: 'json',
    servers: 'mcpServers',
    entry: entryOf('httpUrl'),
  },
  {
    name: 'codex',
    title: 'Codex',
    file: ({ home }) => join(home, '.codex', 'config.toml'),
    format: 'toml',
    servers: 'mcp_servers',
    entry: entryOf('url'),
    skill: ({ home }) => join(home, '.codex', 'skills', 'plat', 'SKILL.md'),
  },
];
