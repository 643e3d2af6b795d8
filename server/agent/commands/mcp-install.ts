import { homedir } from 'node:os';
import { dirname, join, resolve, sep } from 'node:path';
import { type Command, UsageError } from '../../../query/engine/command.ts';
import { replaceFile, snippetOf, tellAgent } from '../agent-file.ts';
import { AGENTS, type Agent, type Connection } from '../agents.ts';
import { findLogin, loginStores } from '../logins.ts';
import { serviceOf } from '../service-address.ts';
import { tellProgress } from '../service-client.ts';

/** The path by which other programs start this one: the script beside plat.ts, or its compiled form. */
function programPath(): string {
  const folder = dirname(resolve(process.argv[1] ?? '.'));
  return join(folder.endsWith(`${sep}dist`) ? dirname(folder) : folder, 'plat');
}

function agentsOf(given: string | boolean | undefined): readonly Agent[] {
  if (typeof given !== 'string') return AGENTS;
  const names = given.split(',');
  const unknown = names.filter(name => !AGENTS.some(agent => agent.name === name));
  if (unknown.length > 0)
    throw new UsageError(
      `mcp install: there is no agent ${unknown.join(', ')}; expected ${AGENTS.map(({ name }) => name).join(', ')}`,
    );
  return AGENTS.filter(({ name }) => names.includes(name));
}

/** `plat mcp install`: shows the entries. It changes files only with --write. */
export const mcpInstallCommand: Command = {
  name: 'mcp install',
  example: 'plat mcp install --agent claude-code --write',
  summary: 'Show how to add a service (PLAT_URL) to agents, or add it',
  options: [
    { flags: '--agent <name...>', description: `Only these: ${AGENTS.map(({ name }) => name).join(', ')}.` },
    { flags: '--remote', description: 'By the address of /mcp, where the agent logs in itself, instead of plat mcp.' },
    {
      flags: '--write',
      description: 'Write into the files of the agents named by --agent; the rest of each file stays.',
    },
    { flags: '--skill', description: 'With --write: also teach agents that know skills how to use the tools.' },
  ],
  async run(_args, { agent: named, remote, write, skill }, terminal) {
    const { service, token } = serviceOf('mcp install');
    if (write === true && named === undefined)
      throw new UsageError('mcp install: --write needs --agent: name the agents whose files shall be written');
    const machine = { home: homedir(), platform: process.platform };
    const connectionOf = ({ programOnly }: Agent): Connection =>
      remote === true && !programOnly
        ? { kind: 'address', url: `${service}/mcp` }
        : { kind: 'program', command: programPath(), args: ['mcp', '--url', service] };
    const agents = agentsOf(named).map(agent => ({
      agent,
      connection: connectionOf(agent),
      file: agent.file(machine),
    }));
    if (write !== true) {
      if (terminal.json) {
        const shown = agents.map(({ agent, connection, file }) => ({
          agent: agent.name,
          file,
          format: agent.format,
          entry: agent.entry(connection),
        }));
        terminal.out(JSON.stringify({ service, agents: shown }));
        return 0;
      }
      for (const { agent, connection, file } of agents)
        terminal.out(`# ${agent.title}: ${file}\n${snippetOf(agent, connection).trimEnd()}\n`);
      terminal.out('Nothing was written. With --agent NAME --write it is.');
      return 0;
    }
    const written: { agent: string; file: string; changed: boolean }[] = [];
    let skilled = false;
    for (const { agent, connection, file } of agents) {
      written.push({ agent: agent.name, file, changed: await tellAgent(agent, connection, file) });
      if (skill !== true || !agent.skill) continue;
      // The skill lists the tools of the service, which nothing else here loads.
      const { SKILL } = await import('../skill.ts');
      await replaceFile(agent.skill(machine), SKILL);
      skilled = true;
    }
    const login = token === null ? await findLogin(service, loginStores()) : null;
    const clients = written.map(({ agent }) => agent);
    if (login) await tellProgress(service, login, { stage: 'installed', clients, skill_installed: skilled });
    terminal.out(
      terminal.json
        ? JSON.stringify({ service, written, skill_installed: skilled })
        : written
            .map(({ agent, file, changed }) => `${agent}: ${changed ? 'wrote' : 'nothing to change in'} ${file}`)
            .join('\n'),
    );
    return 0;
  },
};
