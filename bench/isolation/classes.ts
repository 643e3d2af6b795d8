/** One kind of noisy neighbour: what each of its connections does over and over. */
export interface NoiseClass {
  readonly name: string;
  readonly connections: number;
  /** Bytes of a request, from the head to the last of its body; `i` numbers all requests. */
  readonly request: (material: Material, i: number) => Buffer;
  /** `reads`: takes each answer before it asks again. `unread`: asks once and takes nothing. `drips`: sends a byte a second. */
  readonly manner: 'reads' | 'unread' | 'drips';
}

/** What requests are made of. */
export interface Material {
  readonly token: string;
  /** Fifty fields. */
  readonly fields: readonly string[];
  /** West, south, east, north. */
  readonly box: readonly [number, number, number, number];
  readonly addresses: readonly string[];
}

const random = (i: number, salt: number) => {
  const x = Math.sin(i * 12.9898 + salt * 78.233) * 43_758.5453;
  return x - Math.floor(x);
};

/** A place of the area that no request before it asked about. */
export const placeOf = ({ box: [west, south, east, north] }: Material, i: number) => ({
  lat: south + (0.05 + 0.9 * random(i, 1)) * (north - south),
  lng: west + (0.05 + 0.9 * random(i, 2)) * (east - west),
});

/** Bytes of a request. @param token null sends none. */
export function bytesOf(method: string, path: string, token: string | null, body?: unknown): Buffer {
  const text = body === undefined ? '' : JSON.stringify(body);
  const auth = token === null ? '' : `Authorization: Bearer ${token}\r\n`;
  const type =
    body === undefined ? '' : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n`;
  return Buffer.from(`${method} ${path} HTTP/1.1\r\nHost: plat\r\n${auth}${type}\r\n${text}`);
}

/** An area with so many vertices, a jagged ring. */
function area(material: Material, i: number, vertices: number): unknown {
  const { lng, lat } = placeOf(material, i);
  const ring = Array.from({ length: vertices - 1 }, (_, k) => {
    const angle = (2 * Math.PI * k) / (vertices - 1);
    const reach = 0.02 * (1 + 0.01 * (k % 2));
    return [lng + reach * Math.cos(angle), lat + reach * Math.sin(angle)];
  });
  return { type: 'Polygon', coordinates: [[...ring, ring[0]]] };
}

const STATE = { field: 'state', op: 'eq', value: 'ME' };
const enriched = (material: Material, i: number) =>
  bytesOf('POST', '/v1/search', material.token, {
    filters: [STATE, { field: 'acreage', op: 'gt', value: random(i, 3) }],
    enrich: true,
    limit: 100,
  });
const batch = (material: Material, i: number) =>
  bytesOf('POST', '/v1/fetch/batch', material.token, {
    locations: Array.from({ length: 25 }, (_, k) => placeOf(material, i * 25 + k)),
    fields: material.fields,
  });

/** Ten kinds of noisy neighbour, each of one account or of one address without a token. */
export const CLASSES: readonly NoiseClass[] = [
  { name: 'full batches', connections: 400, manner: 'reads', request: batch },
  { name: 'pages of 100 enriched', connections: 100, manner: 'reads', request: enriched },
  { name: 'pages of 100 enriched that are not read', connections: 58, manner: 'unread', request: enriched },
  {
    name: 'areas of 10,000 vertices',
    connections: 100,
    manner: 'reads',
    request: (material, i) =>
      bytesOf('POST', '/v1/search', material.token, {
        filters: [STATE, { field: 'geometry', op: 'intersects', value: area(material, i, 10_000) }],
        limit: 100,
      }),
  },
  {
    name: 'open streams of questions',
    connections: 200,
    manner: 'unread',
    request: (material, i) =>
      bytesOf('POST', '/v1/ask/stream', material.token, {
        question: 'How steep is it here, and does it flood?',
        ...placeOf(material, i),
      }),
  },
  {
    name: 'lookups of addresses',
    connections: 400,
    manner: 'reads',
    request: ({ token, addresses }, i) =>
      bytesOf('POST', '/v1/lookup', token, { input: addresses[i % addresses.length] }),
  },
  { name: 'bodies that never end', connections: 400, manner: 'drips', request: batch },
  {
    name: 'tokens that are wrong',
    connections: 400,
    manner: 'reads',
    request: (material, i) =>
      bytesOf('POST', '/v1/fetch', `${material.token.slice(0, -8)}${String(i).padStart(8, 'A')}`, {
        ...placeOf(material, i),
        fields: ['elevation'],
      }),
  },
  {
    name: 'the API description without a token',
    connections: 200,
    manner: 'reads',
    request: () => bytesOf('GET', '/v1/openapi.json', null),
  },
  {
    name: 'idle and slow connections',
    connections: 4_200,
    manner: 'drips',
    request: () => bytesOf('GET', '/healthz', null),
  },
];
