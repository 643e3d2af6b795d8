import { existsSync, readFileSync } from 'node:fs';
import { TOOLS } from '../server/mcp/registry.ts';
import { PREFIX } from '../server/mcp/tool.ts';
import { OPERATIONS } from '../server/operations/registry.ts';

/**
 * A page whose prose is written by hand, with a table in it that is made: what stood between its marks is replaced.
 * @param page below docs/. @throws Error when the page or its marks are missing.
 */
function withTable(page: string, name: string, table: readonly string[]): string {
  const file = new URL(page, import.meta.url);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const [begin, end] = [`<!-- ${name}, written by \`make docs\` -->\n`, `<!-- end of ${name} -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from)
    throw new Error(
      `docs/${page} ${text ? 'has no place for' : 'is not there, and shall have'} the table of ${name}: add the lines\n${begin}${end}`,
    );
  return `${text.slice(0, from + begin.length)}${table.join('\n')}\n${text.slice(to)}`;
}

/** The operations that a page explains: how each is asked for at every door, and what it costs. */
const operationTable = (page: string): string[] => [
  '| endpoint | command | `operation` of `service_sets` | credits | |',
  '|---|---|---|---|---|',
  ...OPERATIONS.filter(operation => operation.page === `docs/${page}`).map(
    ({ route, command, tool, price, summary }) => {
      const word = tool.tool === 'own' ? `none: \`${PREFIX}${tool.name}\`` : `\`${tool.operation}\``;
      return `| \`${route}\` | \`plat ${command.name}\` | ${word} | ${price.credits ?? price.unit} | ${summary} |`;
    },
  ),
];

/** The tools of agents with the endpoints that answer the same. */
const toolTable = (): string[] => [
  '| tool | endpoint |',
  '|---|---|',
  ...TOOLS.map(({ name, remark, forms }) => {
    const routes = [...new Set(forms.flatMap(({ route }) => (route === null ? [] : [route])))].map(
      route => `\`${route}\``,
    );
    return `| \`${PREFIX}${name}\` | ${routes.join(', ') || 'none'}${remark ? `; ${remark}` : ''} |`;
  }),
];

/** Pages with a table that is made, by name: the whole page. */
export const TABLE_PAGES: Readonly<Record<string, () => string>> = {
  'agents.md': () => withTable('agents.md', 'tools', toolTable()),
  ...Object.fromEntries(
    [...new Set(OPERATIONS.map(({ page }) => page.slice('docs/'.length)))].map(page => [
      page,
      () => withTable(page, 'operations', operationTable(page)),
    ]),
  ),
};
