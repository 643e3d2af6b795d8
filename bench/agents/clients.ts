import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { clientOf, GENERATIONS, type McpClient } from '../../test/server/mcp/mcp-clients.ts';

const PLAT = fileURLToPath(new URL('../../plat', import.meta.url));

/** A program that speaks the protocol over its standard streams and passes it on to a service. */
const program = (base: string, token: string) => ({
  command: PLAT,
  args: ['mcp'],
  env: { PATH: process.env.PATH ?? '', HOME: '/nonexistent', PLAT_URL: base, PLAT_TOKEN: token },
});

/** Each generation of the SDK over each transport. */
export const CLIENTS: Readonly<Record<string, (base: string, token: string) => Promise<McpClient>>> = {
  ...Object.fromEntries(
    Object.entries(GENERATIONS).map(([name, open]) => [
      `${name} over HTTP`,
      (base: string, token: string) => open(base, { authorization: `Bearer ${token}` }),
    ]),
  ),
  'the SDK of 2025 over stdio': async (base, token) => {
    const client = new FirstClient({ name: 'bench', version: '1' });
    await client.connect(new FirstTransport(program(base, token)) as never);
    return clientOf(client, true);
  },
  'the SDK of 2026 over stdio': async (base, token) => {
    const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new StdioClientTransport(program(base, token)));
    return clientOf(client, false);
  },
};
