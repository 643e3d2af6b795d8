import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type AcceptedCorrection, correctionsPath } from '../../../query/release/corrections/correction-list.ts';
import { keepCorrections } from '../../../server/corrections/overlay.ts';
import { until } from '../../contract/plat.ts';

const ENTRY: AcceptedCorrection = {
  correction_id: 'cor_1',
  field: 'zone',
  also: [],
  dataset: 'zones',
  value: 'X',
  parcel_id: null,
  lat: 44.8,
  lng: -68.77,
  evidence_url: null,
  accepted_at: '2026-11-26T06:00:00.000Z',
};

it('a list that was damaged, taken away or written by a slower command is made whole again', async () => {
  const home = mkdtempSync(join(tmpdir(), 'plat-corrections-'));
  const path = correctionsPath(home);
  const corrections = { accepted: async () => [ENTRY], acceptedStamp: async () => '1' };
  const faults: unknown[] = [];
  const stop = await keepCorrections({ corrections } as never, home, error => faults.push(error), 10);
  const whole = `${JSON.stringify(ENTRY)}\n`;
  expect(readFileSync(path, 'utf8')).toBe(whole);
  const damage = [
    () => writeFileSync(path, '{"correction_id": "co'),
    () => rmSync(path),
    () => writeFileSync(path, ''),
  ];
  const read = () => {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      return null;
    }
  };
  for (const harm of damage) {
    harm();
    expect(
      await until(
        async () => read(),
        text => text === whole,
      ),
    ).toBe(whole);
  }
  expect(faults).toEqual([]);
  await stop();
  // Where it can be written no more, a server starts all the same, and says so.
  rmSync(path);
  mkdirSync(path);
  await (await keepCorrections({ corrections } as never, home, error => faults.push(error)))();
  expect(faults).toHaveLength(1);
  rmSync(home, { recursive: true });
});
