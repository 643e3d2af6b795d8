import { AcquireError } from '../fault.ts';
import type { Seen, Source, SourceReader, Tools } from '../source-reader.ts';
import { cut, type Grid } from './cut.ts';

/** Cells of an edge that are asked for at once: servers limit an answer by its memory. */
const MOST = 1024;

const numbers = (text: string | undefined) => (text ?? '').trim().split(/\s+/).map(Number);

/**
 * The grid of a coverage: DescribeCoverage of WCS 1.0.0 (OGC 03-065r6), where the envelope of a rectified grid gives its corners
 * and the offset vectors its cells.
 * @throws AcquireError when the service describes none.
 */
async function gridOf({ url }: Source, { client, signal }: Tools): Promise<Grid> {
  const address = new URL(url);
  const name = address.searchParams.get('coverage');
  if (name === null) throw new AcquireError('wrong_content', url, 'names no coverage');
  const request = (more: Record<string, string>) => {
    const target = new URL(address);
    for (const [key, value] of Object.entries({ service: 'WCS', version: '1.0.0', ...more }))
      target.searchParams.set(key, value);
    return target.href;
  };
  const xml = await client.text(request({ request: 'DescribeCoverage' }), signal);
  const domain = /<(?:\w+:)?spatialDomain>([\s\S]*?)<\/(?:\w+:)?spatialDomain>/.exec(xml)?.[1] ?? '';
  const [across, down] = [...domain.matchAll(/<gml:offsetVector[^>]*>([^<]+)<\/gml:offsetVector>/g)].map(([, text]) =>
    numbers(text),
  );
  const [first, last] = ['low', 'high'].map(end => numbers(new RegExp(`<gml:${end}>([^<]+)<`).exec(domain)?.[1]));
  const envelopes = [...domain.matchAll(/<gml:Envelope[^>]*srsName="([^"]+)"[^>]*>([\s\S]*?)<\/gml:Envelope>/g)].map(
    ([, system, text = '']) => {
      const [low, high] = [...text.matchAll(/<gml:pos[^>]*>([^<]+)<\/gml:pos>/g)].map(([, pos]) => numbers(pos));
      return { system, low, high };
    },
  );
  // MapServer says the ground in degrees too, and before: the envelope of the grid has as many cells as the grid.
  const cells = last![0]! - first![0]! + 1;
  const cellsOf = ({ low, high }: (typeof envelopes)[number]) =>
    low && high && across ? (high[0]! - low[0]!) / across[0]! : Number.NaN;
  const { system, low, high } =
    envelopes.find(envelope => Math.abs(cellsOf(envelope) - cells) < 1.5) ?? envelopes[0] ?? {};
  if (!system || !low || !high || !across?.[0] || !down?.[1]) {
    const [, reason = 'no grid'] = /<ServiceException[^>]*>([^<]+)/.exec(xml) ?? [];
    throw new AcquireError('wrong_content', url, `describes no coverage ${name}: ${reason.trim()}`);
  }
  return {
    crs: system,
    box: [low[0]!, low[1]!, high[0]!, high[1]!],
    cellX: Math.abs(across[0]),
    cellY: Math.abs(down[1]),
    most: MOST,
    address: (box, columns, rows) =>
      request({
        ...{ request: 'GetCoverage', crs: system, bbox: box.join(','), width: String(columns), height: String(rows) },
        format: 'GeoTIFF',
      }),
  };
}

/** Cuts the ground out of a coverage of a WCS 1.0.0; its address names it, and a time if it has several. */
export const coverage: SourceReader = {
  async look(source, tools): Promise<Seen> {
    await gridOf(source, tools);
    return { stamp: null, changedAt: null, bytes: null, rows: null };
  },
  take: async (source, _held, target, tools) => cut(await gridOf(source, tools), source, target, tools),
};
