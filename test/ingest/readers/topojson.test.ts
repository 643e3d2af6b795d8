import { describe, expect, it } from 'vitest';
import { openSource } from '../../../ingest/format.ts';
import { failureOf, readRows, scratch } from './scratch.ts';

const write = scratch();

/** Two squares that share an arc, quantized to tenths from (-70, 44), a line, and a feature without geometry. */
const topology = {
  type: 'Topology',
  transform: { scale: [0.1, 0.1], translate: [-70, 44] },
  arcs: [
    [
      [1, 0],
      [0, 1],
    ],
    [
      [1, 1],
      [-1, 0],
      [0, -1],
      [1, 0],
    ],
    [
      [1, 0],
      [1, 0],
      [0, 1],
      [-1, 0],
    ],
  ],
  objects: {
    lots: {
      type: 'GeometryCollection',
      geometries: [
        { type: 'Polygon', arcs: [[0, 1]], id: 7, properties: { pin: '01', tags: ['a'] } },
        { type: 'Polygon', arcs: [[2, -1]], properties: { pin: '02' } },
        { type: null, properties: { pin: '03' } },
      ],
    },
    street: { type: 'LineString', arcs: [0], properties: { name: 'Main' } },
  },
};
const text = JSON.stringify(topology);

describe('TopoJSON', () => {
  it('follows quantized arcs both ways and keeps rows without geometry', async () => {
    for (const name of ['a.topojson', 'a.topojson.gz', 'a.topo.json']) {
      const rows = await readRows(write(name, text), { layer: 'lots' });
      expect(rows.map(r => r.properties)).toEqual([{ pin: '01', tags: '["a"]', id: 7 }, { pin: '02' }, { pin: '03' }]);
      expect(rows.map(r => r.number)).toEqual([1, 2, 3]);
      const [first, second] = rows.map(r => [...(r.geometry?.xy ?? [])].map(v => Math.round(v * 10) / 10));
      expect(first).toEqual([-69.9, 44, -69.9, 44.1, -70, 44.1, -70, 44, -69.9, 44]);
      expect(second).toEqual([-69.9, 44, -69.8, 44, -69.8, 44.1, -69.9, 44.1, -69.9, 44]);
      expect(rows[2]!.geometry).toBeNull();
    }
  });

  it('reads a lone object and says how many rows it has', async () => {
    const source = await openSource(write('b.topojson', text), { options: { layer: 'street' } });
    expect([source.crs, source.count]).toEqual(['OGC:CRS84', 1]);
    const only = { ...topology, objects: { street: topology.objects.street } };
    const rows = await readRows(write('only.topojson', JSON.stringify(only)));
    expect(rows[0]).toMatchObject({ properties: { name: 'Main' }, geometry: { type: 'LineString' } });
  });

  it('takes another CRS from its options', async () => {
    const source = await openSource(write('c.topojson', text), { options: { layer: 'lots', crs: 'EPSG:2264' } });
    expect(source.crs).toBe('EPSG:2264');
  });
});

describe('damaged TopoJSON', () => {
  const broken = structuredClone(topology);
  broken.objects.lots.geometries[1]!.arcs = [[9]];
  it.each([
    ['an empty file', '', {}, 'file_truncated', null],
    ['a cut-off file', text.slice(0, 200), {}, 'file_truncated', null],
    ['garbage', '\u0000\u0001{]}', {}, 'file_corrupt', null],
    ['a list', '[1]', {}, 'file_corrupt', null],
    ['a topology without arcs', '{"type":"Topology","objects":{}}', {}, 'file_corrupt', null],
    ['several objects and no choice', text, {}, 'part_missing', null],
    ['an object it does not have', text, { layer: 'roads' }, 'part_missing', null],
    ['an arc that is not there', JSON.stringify(broken), { layer: 'lots' }, 'file_corrupt', 2],
  ])('refuses %s', async (_, content, options, code, row) => {
    const path = write('bad.topojson', content);
    expect(await failureOf(path, options)).toMatchObject({ name: 'ReadError', code, row, file: path });
  });

  it('is told by its content where it hides behind .json', async () => {
    for (const format of [undefined, 'topojson'])
      expect(await readRows(write('hidden.json', text), { layer: 'lots' }, format)).toHaveLength(3);
  });
});
