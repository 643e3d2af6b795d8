import { open } from 'node:fs/promises';

/** Bytes of the beginning and of the end of a file in which a server says how much it sent. */
const EDGE_BYTES = 65_536;

/** A count that a server wrote as a number or as text; null where it wrote none, or `unknown`. */
const countOf = (value: unknown): number | null => {
  const count = typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value)) ? Number(value) : null;
  return Number.isSafeInteger(count) ? count : null;
};

/**
 * Why an answer is only a part, by what the server wrote beside its features: ArcGIS (also inside `properties`), WFS and OGC API.
 * @param members of its top object, or attributes of its root element.
 * @param rows that it has; a server that counts what it found need not count what it sent.
 * @returns null where it says nothing of the kind.
 */
export function cappedOf(members: Readonly<Record<string, unknown>>, rows: number): string | null {
  const { properties, numberMatched, totalFeatures, numberReturned, links } = members;
  const exceeded = [members, properties].some(one =>
    /^true$/i.test(String((one as { exceededTransferLimit?: unknown } | null | undefined)?.exceededTransferLimit)),
  );
  if (exceeded) return 'the server says exceededTransferLimit: it has more rows than it sent';
  const matched = countOf(numberMatched) ?? countOf(totalFeatures);
  const returned = countOf(numberReturned) ?? rows;
  if (matched !== null && matched > returned)
    return `the server found ${matched} rows (numberMatched) and sent ${returned} (numberReturned)`;
  if (Array.isArray(links) && links.some(link => (link as { rel?: unknown } | null)?.rel === 'next'))
    return 'the server names a next page of rows (links, rel next)';
  return null;
}

/** The beginning and the end of a file as text. */
async function edgesOf(path: string): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const part = async (position: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(EDGE_BYTES), 0, EDGE_BYTES, position);
      return buffer.toString('latin1', 0, bytesRead);
    };
    const head = await part(0);
    return size > EDGE_BYTES ? `${head}\n${await part(Math.max(EDGE_BYTES, size - EDGE_BYTES))}` : head;
  } finally {
    await file.close();
  }
}

/**
 * The words of a server beside its rows in an answer of a WFS in GML, whose reader tells the rows alone.
 * @returns members as cappedOf takes them. @throws system errors.
 */
export async function answerMembers(path: string): Promise<Record<string, unknown>> {
  const text = await edgesOf(path);
  const [, attributes = ''] = /<(?:[\w-]+:)?FeatureCollection\b([^>]*)>/.exec(text) ?? [];
  const attribute = (name: string) => new RegExp(`\\b${name}\\s*=\\s*["']([^"']*)["']`).exec(attributes)?.[1];
  return {
    numberMatched: attribute('numberMatched'),
    numberReturned: attribute('numberReturned'),
    ...(attribute('next') && { links: [{ rel: 'next' }] }),
  };
}
