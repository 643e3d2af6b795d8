import { countTokens } from 'gpt-tokenizer';
import { expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { LANDMARK_SETS } from '../../../datasets/landmark-sets.ts';
import { listTools } from '../../../server/mcp/listing.ts';
import { TOOLS } from '../../../server/mcp/registry.ts';

/** A release that lacks whatever tools may say that it lacks: the longest list. */
const NOTHING = { parcels: true, owners: false, roads: false, lackingSets: Object.keys(LANDMARK_SETS) };

/** Every conversation of every agent pays for the list of tools (a limit of the interface). */
const MOST = 8_000;

it('the list of tools has fewer than 8,000 tokens, and room for what comes', () => {
  const list = listTools(TOOLS, catalog, NOTHING);
  const tokensOf = (value: unknown) => countTokens(JSON.stringify(value));
  const each = list.map(tool => [tool.name, tokensOf(tool)] as const).sort((a, b) => b[1] - a[1]);
  const total = tokensOf(list);
  const table = each.map(([name, tokens]) => `${name} ${tokens}`).join(', ');
  expect(
    total,
    `${table}. Shorten descriptions of the greatest, or leave out what only a validator needs`,
  ).toBeLessThan(MOST);
});

it('what is left out of the list is checked all the same, and the rest is as declared', () => {
  const sets = listTools(TOOLS, catalog, NOTHING).find(({ name }) => name === 'service_sets')!;
  expect(sets.inputSchema).toMatchObject({ additionalProperties: false, required: ['req'] });
  expect(JSON.stringify(sets.inputSchema).match(/additionalProperties/g)).toHaveLength(1);
});
