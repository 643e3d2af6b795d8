import { describe, expect, it } from 'vitest';
import { DamagedFile } from '../../../query/format/damaged-file.ts';
import type { RoadGraph } from '../../../query/route/graph.ts';
import { graphBytes, graphOf, requireSum, sumOf } from '../../../query/route/graph-file.ts';
import { town } from './town.ts';

const { graph } = town(5, 1);
const bytes = graphBytes(graph);

/** Reads a graph as the threads that share it do. */
function openGraph(of: Uint8Array, path: string): RoadGraph {
  requireSum(of, [...sumOf(of)].at(-1), path);
  return graphOf(of);
}

describe('the file of a graph', () => {
  it('gives back every number of it', () => {
    expect(openGraph(bytes, 'x.graph')).toEqual(graph);
  });

  it('is opened without a copy, in memory that threads share', () => {
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    const opened = openGraph(shared, 'x.graph');
    expect(opened.shape.buffer).toBe(shared.buffer);
    expect([...opened.shape]).toEqual([...graph.shape]);
  });

  it('is refused with any one bit flipped', () => {
    for (let at = 0; at < bytes.length; at += at < 64 ? 1 : 97) {
      const damaged = Uint8Array.from(bytes);
      damaged[at]! ^= 1 << (at % 8);
      expect(() => openGraph(damaged, '/home/x.graph'), `byte ${at}`).toThrow(DamagedFile);
    }
  });

  it.each([0, 7, 23, 24, 1000, bytes.length - 1])('is refused cut off at byte %i', length => {
    expect(() => openGraph(Uint8Array.from(bytes.subarray(0, length)), '/home/x.graph')).toThrow(
      /^x\.graph is damaged/,
    );
  });

  it('says what is wrong and what to do', () => {
    const other = Uint8Array.from(bytes);
    other[8] = 9;
    expect(() => openGraph(other, 'x.graph')).toThrow('format 9, expected 3; ingest the roads again');
    other[8] = 3;
    other[200]! ^= 4;
    expect(() => openGraph(other, 'x.graph')).toThrow('bytes do not have its checksum; ingest the roads again');
  });
});
