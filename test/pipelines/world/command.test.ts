import { describe, expect, it } from 'vitest';
import { command } from '../../../pipelines/world/command.ts';
import type { Terminal } from '../../../query/engine/command.ts';

const terminal: Terminal = { json: false, interactive: false, out() {}, err() {} };

describe('plat world generate', () => {
  // What it writes and prints: generate.test.ts.
  it.each([
    [{ parcels: 'many' }, '--parcels many: expected a whole number from 200 to 5000000'],
    [{ parcels: '12' }, '--parcels 12: expected'],
    [{ seed: '-1' }, '--seed -1: expected'],
    [{ out: '' }, '--out: expected a folder'],
  ])('refuses %j', async (options, message) => {
    await expect(command.run([], options, terminal)).rejects.toThrow(message);
  });
});
