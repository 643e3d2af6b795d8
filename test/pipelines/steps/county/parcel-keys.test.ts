import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Geometry } from '../../../../datasets/geometry.ts';
import type { OutputRow } from '../../../../ingest/writer.ts';
import { createFlatGeobuf } from '../../../../ingest/writers/flatgeobuf.ts';
import { geometryHash } from '../../../../pipelines/steps/county/parcel-shape.ts';
import { Parcels } from '../../../../pipelines/steps/county/parcels.ts';
import { polygonsToGeometry } from '../../../../query/geometry/geos.ts';
import { folder, square } from '../../village.ts';

const home = folder();
afterAll(() => rmSync(home, { recursive: true, force: true }));

const polygon = (ring: number[][]): Geometry => polygonsToGeometry([[Float64Array.from(ring.flat())]]);
let runs = 0;
const A = polygon(square(-68.8, 44.8, 0.001));
const B = polygon(square(-68.7, 44.8, 0.001));
const C = polygon(square(-68.6, 44.9, 0.002));

describe('keys are carried forward from the release before', () => {
  type Row = [apn: string | null, geometry: Geometry, id: string | null];
  const COLUMNS = { apn: { type: 'string' }, parcel_key: { type: 'string' } } as const;

  const SEVEN: Row = ['7', A, null];

  /** One release after another; the keys of the last, in the order of its rows. */
  async function releases(...history: Row[][]): Promise<unknown[]> {
    let previous: string | null = null;
    let ended: string[] = [];
    let keys: unknown[] = [];
    for (const rows of history) {
      const before = previous === null ? [] : [{ path: previous, of: 'parcels', parts: [null] }];
      const parcels = await Parcels.create(join(home, `spool${runs++}`), { county: '23019' }, before, ended);
      for (const [apn, geometry, id] of rows) expect(parcels.add({ properties: { apn }, geometry }, id)).toBeNull();
      previous = join(home, `parcels${runs}.fgb`);
      const file = await createFlatGeobuf(previous, {
        name: 'parcels',
        columns: COLUMNS,
        order: 'input',
        durable: false,
      });
      const stored: OutputRow[] = [];
      for await (const row of parcels.rows()) {
        const { apn, parcel_key } = row.properties;
        await file.write({ properties: { apn: apn ?? null, parcel_key: parcel_key ?? null }, geometry: row.geometry });
        stored.push(row);
      }
      await file.finish();
      const gone = await parcels.ended(join(home, `ended${runs}.ndjson`));
      ended = gone ? [gone.path] : [];
      parcels.close();
      keys = rows.map(([apn, geometry]) => {
        const mine = stored.filter(
          row => row.properties.apn === apn && geometryHash(row.geometry!) === geometryHash(geometry),
        );
        expect(mine).toHaveLength(1);
        return mine[0]!.properties.parcel_key;
      });
      expect(new Set(keys).size).toBe(rows.length);
    }
    return keys;
  }

  it.each<[string, Row[][], unknown[]]>([
    [
      'a number that begins to repeat',
      [
        [['7', A, '1']],
        [
          ['7', B, '2'],
          ['7', A, '1'],
        ],
      ],
      ['23019:7:o2', '23019:7'],
    ],
    [
      'a number that stops repeating',
      [
        [
          ['7', A, '1'],
          ['7', B, '2'],
        ],
        [['7', B, '2']],
      ],
      ['23019:7:o2'],
    ],
    ['a parcel that changes its shape', [[['7', A, null]], [['7', B, null]]], ['23019:7']],
    [
      'one of two that changes its shape',
      [
        [
          ['7', A, '1'],
          ['7', B, '2'],
        ],
        [
          ['7', A, '1'],
          ['7', C, '2'],
        ],
      ],
      ['23019:7:o1', '23019:7:o2'],
    ],
    [
      'parcels that trade shapes',
      [
        [
          ['7', A, null],
          ['8', B, null],
        ],
        [
          ['7', B, null],
          ['8', A, null],
        ],
      ],
      ['23019:7', '23019:8'],
    ],
    [
      'two that are told apart by shape alone, after one is gone',
      [
        [
          ['7', A, null],
          ['7', B, null],
        ],
        [['7', A, null]],
      ],
      [`23019:7:g${geometryHash(A).slice(0, 16)}`],
    ],
    [
      'a number that began to repeat and goes on',
      [
        [['7', A, '1']],
        [
          ['7', A, '1'],
          ['7', B, '2'],
        ],
        [
          ['7', C, '3'],
          ['7', B, '2'],
          ['7', A, '1'],
        ],
      ],
      ['23019:7:o3', '23019:7:o2', '23019:7'],
    ],
    ['a parcel that is given another number', [[['7', A, null]], [['9', A, null]]], ['23019:7']],
    [
      'a parcel that is split: the piece that keeps the number goes on',
      [
        [['7', A, null]],
        [
          ['8', B, null],
          ['7', C, null],
        ],
      ],
      ['23019:8', '23019:7'],
    ],
    [
      'a parcel that is split into two with new numbers',
      [
        [['7', A, null]],
        [
          ['7-1', B, null],
          ['7-2', C, null],
        ],
      ],
      ['23019:7-1', '23019:7-2'],
    ],
    [
      'parcels that are merged: the one whose number the new one bears goes on',
      [
        [
          ['7', A, null],
          ['8', B, null],
        ],
        [['8', C, null]],
      ],
      ['23019:8'],
    ],
    [
      'a number whose parcel was gone for a while and is another one now',
      [[['8', B, null], SEVEN], [SEVEN], [SEVEN], [['8', C, null], SEVEN], [['8', C, null], SEVEN]],
      [`23019:8:g${geometryHash(C).slice(0, 16)}`, '23019:7'],
    ],
    [
      'a parcel that was gone for a while and is back as it was',
      [[['8', B, null], SEVEN], [SEVEN], [SEVEN], [['8', B, null], SEVEN]],
      ['23019:8', '23019:7'],
    ],
    [
      'a parcel without number',
      [
        [[null, A, '1']],
        [
          [null, B, '2'],
          [null, A, '1'],
        ],
      ],
      ['23019::o2', '23019::o1'],
    ],
  ])('%s', async (_, history, keys) => {
    expect(await releases(...history)).toEqual(keys);
  });

  it('a new parcel never takes the key of one that is gone or goes on', async () => {
    // The plain key belongs to the parcel of shape A, which keeps it; the other one was renumbered and is new.
    const before: Row[] = [
      ['7', A, null],
      ['9', B, null],
    ];
    const [first, second] = await releases(before, [
      ['7', A, null],
      ['7', C, null],
    ]);
    expect(first).toBe('23019:7');
    expect(second).toBe(`23019:7:g${geometryHash(C).slice(0, 16)}`);
  });

  it('the same file again has the same keys', async () => {
    const rows: Row[] = [
      ['7', A, null],
      ['7', B, null],
      ['8', C, '1'],
      [null, A, '2'],
    ];
    expect(await releases(rows, rows, [...rows].reverse())).toEqual([...(await releases(rows))].reverse());
  });
});
