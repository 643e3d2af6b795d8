import { execFileSync } from 'node:child_process';
import { deflateSync } from 'node:zlib';
import { PbfWriter } from 'pbf';
import { describe, expect, it } from 'vitest';
import { openSource } from '../../../ingest/format.ts';
import { failureOf, readRows, scratch } from './scratch.ts';

const write = scratch();

interface Extract {
  readonly nodes: readonly { id: number; at: readonly [lng: number, lat: number]; tags?: Record<string, string> }[];
  readonly ways: readonly { id: number; refs: readonly number[]; tags?: Record<string, string> }[];
  readonly relations?: readonly { id: number; ways: readonly number[]; tags: Record<string, string> }[];
}

const differences = (values: readonly number[]) => values.map((v, i) => v - (values[i - 1] ?? 0));

function message(fill: (pbf: PbfWriter) => void): Uint8Array {
  const pbf = new PbfWriter();
  fill(pbf);
  return pbf.finish();
}

function block(type: string, content: Uint8Array, packed: boolean): Buffer {
  const blob = message(pbf => {
    if (packed) {
      pbf.writeVarintField(2, content.length);
      pbf.writeBytesField(3, deflateSync(content));
    } else pbf.writeBytesField(1, content);
  });
  const header = message(pbf => {
    pbf.writeStringField(1, type);
    pbf.writeVarintField(3, blob.length);
  });
  const length = Buffer.alloc(4);
  length.writeUInt32BE(header.length);
  return Buffer.concat([length, header, blob]);
}

const fileHeader = (feature = 'DenseNodes') =>
  block(
    'OSMHeader',
    message(pbf => {
      pbf.writeStringField(4, 'OsmSchema-V0.6');
      pbf.writeStringField(4, feature);
    }),
    false,
  );

/** Encodes an extract, its nodes dense or one by one. */
function pbfOf(extract: Extract, dense: boolean): Buffer {
  const strings = [''];
  const index = (text: string) => {
    if (!strings.includes(text)) strings.push(text);
    return strings.indexOf(text);
  };
  const coordinates = (v: number) => Math.round(v * 1e7);
  const groups: Uint8Array[] = [];
  const tagged = (pbf: PbfWriter, tags: Record<string, string> = {}) => {
    pbf.writePackedVarint(2, Object.keys(tags).map(index));
    pbf.writePackedVarint(3, Object.values(tags).map(index));
  };
  groups.push(
    message(group => {
      if (dense)
        group.writeMessage(
          2,
          (_, pbf) => {
            pbf.writePackedSVarint(1, differences(extract.nodes.map(n => n.id)));
            pbf.writePackedSVarint(8, differences(extract.nodes.map(n => coordinates(n.at[1]))));
            pbf.writePackedSVarint(9, differences(extract.nodes.map(n => coordinates(n.at[0]))));
            const words = extract.nodes.flatMap(n => [
              ...Object.entries(n.tags ?? {})
                .flat()
                .map(index),
              0,
            ]);
            pbf.writePackedVarint(10, words);
          },
          null,
        );
      else
        for (const node of extract.nodes)
          group.writeMessage(
            1,
            (_, pbf) => {
              pbf.writeSVarintField(1, node.id);
              tagged(pbf, node.tags);
              pbf.writeSVarintField(8, coordinates(node.at[1]));
              pbf.writeSVarintField(9, coordinates(node.at[0]));
            },
            null,
          );
    }),
    message(group => {
      for (const way of extract.ways)
        group.writeMessage(
          3,
          (_, pbf) => {
            pbf.writeVarintField(1, way.id);
            tagged(pbf, way.tags);
            pbf.writePackedSVarint(8, differences(way.refs));
          },
          null,
        );
    }),
    message(group => {
      for (const relation of extract.relations ?? [])
        group.writeMessage(
          4,
          (_, pbf) => {
            pbf.writeVarintField(1, relation.id);
            tagged(pbf, relation.tags);
            pbf.writePackedVarint(
              8,
              relation.ways.map((_, i) => index(i === 0 ? 'outer' : 'inner')),
            );
            pbf.writePackedSVarint(9, differences(relation.ways));
            pbf.writePackedVarint(
              10,
              relation.ways.map(() => 1),
            );
          },
          null,
        );
    }),
  );
  const content = message(pbf => {
    pbf.writeMessage(
      1,
      (_, table) => {
        for (const text of strings) table.writeBytesField(1, Buffer.from(text));
      },
      null,
    );
    for (const group of groups) pbf.writeBytesField(2, group);
  });
  return Buffer.concat([fileHeader(), block('OSMData', content, true)]);
}

const square = (id: number, x: number, y: number, side: number) =>
  [
    [x, y],
    [x + side, y],
    [x + side, y + side],
    [x, y + side],
  ].map((at, i) => ({ id: id + i, at: at as [number, number] }));

const power = { power: 'substation' };
/** A mapped node, an area, an open way, a yard with a hole made of two half rings, and one whose way is not here. */
const extract: Extract = {
  nodes: [
    ...square(10, -68.9, 44.1, 0.01),
    ...square(20, -68.8, 44.2, 0.1),
    ...square(30, -68.77, 44.23, 0.01),
    { id: 5_000_000_000, at: [-68.5, 44.5], tags: { ...power, name: 'Überlandwerk' } },
  ],
  ways: [
    { id: 1, refs: [10, 11, 12, 13, 10], tags: { ...power, voltage: '132000;33000', operator: 'Versant' } },
    { id: 2, refs: [10, 11, 12], tags: power },
    { id: 3, refs: [20, 21, 22] },
    { id: 4, refs: [20, 23, 22] },
    { id: 5, refs: [30, 31, 32, 33, 30], tags: { landuse: 'grass' } },
    { id: 6, refs: [10, 11, 99, 10], tags: power },
  ],
  relations: [
    { id: 1, ways: [3, 4, 5], tags: { ...power, type: 'multipolygon' } },
    { id: 2, ways: [3, 77], tags: { ...power, type: 'multipolygon' } },
    { id: 3, ways: [1], tags: { type: 'multipolygon', landuse: 'grass' } },
  ],
};

describe('OSM PBF', () => {
  it.each([true, false])('gathers substations from nodes (dense: %s), ways and relations', async dense => {
    const path = write(`${dense}.osm.pbf`, pbfOf(extract, dense));
    const source = await openSource(path);
    expect(source.crs).toBe('EPSG:4326');
    expect(source.columns).toContain('voltage');
    const rows = await readRows(path);
    expect(rows.map(r => [r.properties.osm_id, r.geometry?.type ?? null])).toEqual([
      ['node/5000000000', 'Point'],
      ['way/1', 'Polygon'],
      ['way/2', 'LineString'],
      ['way/6', null],
      ['relation/1', 'Polygon'],
      ['relation/2', null],
    ]);
    expect(rows[0]!.properties).toMatchObject({ name: 'Überlandwerk', voltage: null, osm_type: 'node' });
    expect(rows[1]!.properties).toMatchObject({ voltage: '132000;33000', operator: 'Versant' });
    expect([...rows[0]!.geometry!.xy].map(v => Math.round(v * 1e7))).toEqual([-685000000, 445000000]);
    const yard = rows[4]!.geometry!;
    expect([[...yard.ends], [...yard.parts]]).toEqual([[5, 10], [2]]);
    expect(Math.min(...yard.xy.filter((_, i) => i % 2 === 0))).toBeCloseTo(-68.8, 7);
  });

  it('reads a file without substations', async () => {
    expect(await readRows(write('none.osm.pbf', pbfOf({ nodes: [], ways: [] }, true)))).toEqual([]);
  });

  it('is laid out as GDAL reads it', { tags: ['GDAL'] }, () => {
    const path = write('gdal.osm.pbf', pbfOf(extract, true));
    const listed = execFileSync('ogrinfo', ['-ro', '-q', path, 'multipolygons'], { encoding: 'utf8' });
    expect(listed).toMatch(/"power"=>"substation"/);
    expect(listed).toMatch(/\(\(-68\.8 44\.2,.*\),\(-68\.77 44\.23,/);
  });
});

describe('damaged OSM PBF', () => {
  const whole = pbfOf(extract, true);
  const head = fileHeader();
  it.each([
    ['an empty file', Buffer.alloc(0), 'file_truncated'],
    ['text', Buffer.from('<osm version="0.6"></osm>'), 'file_corrupt'],
    ['a cut-off header', whole.subarray(0, 10), 'file_truncated'],
    ['a cut-off block', whole.subarray(0, -5), 'file_truncated'],
    ['a cut-off length', Buffer.concat([head, Buffer.from([0, 0])]), 'file_truncated'],
    ['data before the header', whole.subarray(head.length), 'file_corrupt'],
    ['a file with history', fileHeader('HistoricalInformation'), 'format_unsupported'],
    [
      'a block that is no message',
      Buffer.concat([head, block('OSMData', Buffer.from([7, 7, 7]), true)]),
      'file_corrupt',
    ],
    ['a block of zeros', Buffer.concat([head, block('OSMData', Buffer.alloc(20), true)]), 'file_corrupt'],
  ])('refuses %s', async (_, bytes, code) => {
    const path = write('bad.osm.pbf', bytes);
    expect(await failureOf(path)).toMatchObject({ name: 'ReadError', code, file: path });
  });

  it('finds damage inside a packed block', async () => {
    const bytes = Buffer.from(whole);
    bytes[whole.length - 20]! ^= 0xff;
    expect(await failureOf(write('flip.osm.pbf', bytes))).toMatchObject({ code: 'file_corrupt' });
  });

  it('knows which kinds it reads', async () => {
    const path = write('kinds.osm.pbf', whole);
    const failure = await failureOf(path, { layer: 'pub' });
    expect(failure).toMatchObject({ code: 'part_missing', message: expect.stringMatching(/substation/) });
  });
});
