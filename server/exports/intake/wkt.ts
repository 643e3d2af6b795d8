const HEAD = /^\s*(?:SRID=4326;)?\s*(POINT|POLYGON|MULTIPOLYGON)\s*\(/i;
const TYPES: Readonly<Record<string, string>> = { POINT: 'Point', POLYGON: 'Polygon', MULTIPOLYGON: 'MultiPolygon' };
const POSITION = /[-+]?[\d.]+(?:e[-+]?\d+)?(?:\s+[-+]?[\d.]+(?:e[-+]?\d+)?)+/gi;

/** A cell with GeoJSON or WKT as GeoJSON; null where it is neither. Heights are dropped. */
export function polygonOfText(text: string): unknown {
  try {
    if (text.trimStart().startsWith('{')) return JSON.parse(text) as unknown;
    const type = TYPES[HEAD.exec(text)?.[1]?.toUpperCase() ?? ''];
    if (!type) return null;
    // Positions become arrays of numbers, and parentheses brackets.
    const nested = text
      .slice(text.indexOf('('))
      .replace(POSITION, position => `[${position.trim().split(/\s+/).slice(0, 2).map(Number).join(',')}]`)
      .replaceAll('(', '[')
      .replaceAll(')', ']');
    const lists = JSON.parse(nested) as unknown[];
    return { type, coordinates: type === 'Point' ? lists[0] : lists };
  } catch {
    return null;
  }
}
