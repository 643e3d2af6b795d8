/** One kind of noisy neighbour: what each of its connections does over and over. */
export interface NoiseClass {
  readonly name: string;
  readonly connections: number;
  /** Bytes of a request, from the head to the last of its body; `i` numbers all requests. */
  readonly request: (material: Material, i: number) => Buffer;
  /** Requests after which it sends no more, where each leaves work behind that would go on beside the next kind. */
  readonly most?: number;
  /** Different requests, where a thousand would take gigabytes. */
  readonly different?: number;
  /** `reads`: takes each answer before it asks again. `unread`: asks once and takes nothing. `drips`: sends a byte a second. */
  readonly manner: 'reads' | 'unread' | 'drips';
}

/** What requests are made of. */
export interface Material {
  /** At which the server of the bench listens. */
  readonly port: number;
  readonly token: string;
  /** Fifty fields. */
  readonly fields: readonly string[];
  /** West, south, east, north. */
  readonly box: readonly [number, number, number, number];
  readonly addresses: readonly string[];
  /** Titles of fields. */
  readonly titles: readonly string[];
  /** Paths of map tiles in which something lies. */
  readonly tiles: readonly string[];
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

/** Bytes of a request. @param token null sends none. @param body a text is that of a form. */
export function bytesOf(method: string, path: string, token: string | null, body?: unknown): Buffer {
  const isForm = typeof body === 'string';
  const text = isForm ? body : body === undefined ? '' : JSON.stringify(body);
  const auth = token === null ? '' : `Authorization: Bearer ${token}\r\n`;
  const form = isForm
    ? 'application/x-www-form-urlencoded'
    : 'application/json\r\nAccept: application/json, text/event-stream';
  const type = body === undefined ? '' : `Content-Type: ${form}\r\nContent-Length: ${Buffer.byteLength(text)}\r\n`;
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

/** A place in the middle of the area, where there are roads. */
function inside(material: Material, i: number) {
  const [west, south, east, north] = material.box;
  const { lat, lng } = placeOf(material, i);
  return {
    lat: (south + north) / 2 + (lat - (south + north) / 2) / 4,
    lng: (west + east) / 2 + (lng - (west + east) / 2) / 4,
  };
}

/** Places that no request before it asked about. */
const places = (material: Material, i: number, count: number) =>
  Array.from({ length: count }, (_, k) => placeOf(material, i * count + k));

/** So many characters about what fields are about: questions and wishes of people who know what they want. */
function prose({ titles }: Material, i: number, characters: number): string {
  let text = '';
  for (let k = 0; text.length < characters; k++) {
    const title = titles[Math.floor(random(i * 50 + k, 4) * titles.length)]!;
    // A letter is missing in every third.
    const misspelt = k % 3 === 2 ? title.slice(0, 4) + title.slice(5) : title;
    text += `${['How much', 'What', 'Which'][k % 3]} ${misspelt.toLowerCase()} is there here, and is that ${k % 2 ? 'more than 40 feet' : 'usual'}? `;
  }
  return text.slice(0, characters);
}

/** Ways to write one polygon: it is one site, so that the jobs of a kind end with it. */
function site(material: Material, i: number): unknown {
  const { coordinates } = area(material, i % SITES, SITE_VERTICES) as { coordinates: unknown[][] };
  const ring = coordinates[0]!.slice(0, -1);
  const first = (i * 37) % ring.length;
  const turned = [...ring.slice(first), ...ring.slice(0, first)];
  return { type: 'Polygon', coordinates: [[...turned, turned[0]]] };
}
const [SITES, SITE_VERTICES] = [4, 20_000];

/** Kinds of noisy neighbour, each of one account or of one address without a token. */
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
  {
    name: 'tools that search pages of 100 enriched',
    connections: 100,
    manner: 'reads',
    request: (material, i) =>
      bytesOf('POST', '/mcp', material.token, {
        jsonrpc: '2.0',
        id: i,
        method: 'tools/call',
        params: {
          name: 'service_search',
          arguments: {
            req: {
              filters: [STATE, { field: 'acreage', op: 'gt', value: random(i, 3) }],
              enrich: true,
              limit: 100,
            },
          },
        },
      }),
  },
  {
    name: 'long questions',
    connections: 100,
    manner: 'reads',
    request: (material, i) =>
      bytesOf('POST', '/v1/ask', material.token, { question: prose(material, i, 2_000), ...placeOf(material, i) }),
  },
  {
    name: 'matrices',
    connections: 100,
    manner: 'reads',
    request: (material, i) =>
      bytesOf('POST', '/v1/proximity/matrix', material.token, {
        origins: places(material, 2 * i, 35),
        destinations: places(material, 2 * i + 1, 100),
      }),
  },
  {
    name: 'isochrones',
    connections: 100,
    manner: 'reads',
    request: (material, i) =>
      bytesOf('POST', '/v1/proximity/isochrone', material.token, {
        // Half a megabyte each. Around the area there are no roads.
        origin: inside(material, i),
        minutes: [120, 90, 60, 30, 15],
      }),
  },
  {
    name: 'sites of 20,000 vertices',
    connections: 100,
    manner: 'reads',
    different: 100,
    request: (material, i) => bytesOf('POST', '/v1/sites', material.token, { site: site(material, i) }),
  },
  {
    name: 'map tiles without a token',
    connections: 200,
    manner: 'reads',
    request: ({ tiles }, i) => bytesOf('GET', tiles[i % tiles.length]!, null),
  },
  {
    name: 'sign-ups',
    connections: 200,
    manner: 'reads',
    request: (_, i) => bytesOf('POST', '/password', null, `email=nobody-${i}-${Date.now()}%40plat.invalid`),
  },
  {
    name: 'authorizations',
    connections: 200,
    manner: 'reads',
    request: ({ port }, i) =>
      bytesOf(
        'GET',
        `/authorize?${new URLSearchParams({
          client_id: 'plat',
          response_type: 'code',
          scope: 'openid email',
          redirect_uri: `http://127.0.0.1:${port}/signed-in`,
          state: `${i}`.padEnd(1_000, 'x'),
          code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
          code_challenge_method: 'S256',
        })}`,
        null,
      ),
  },
  {
    name: 'field requests',
    connections: 100,
    manner: 'reads',
    most: 60,
    // One in twenty is as long as it may be: it takes seconds to understand.
    request: (material, i) =>
      bytesOf('POST', '/v1/field-requests', material.token, {
        description: prose(material, i, i % 20 === 0 ? 4_000 : 200),
        example_locations: places(material, i, i % 20 === 0 ? 20 : 1),
        ...(i % 20 === 0 && {
          requested_fields: Array.from({ length: 20 }, (_, k) => ({ ask: prose(material, 20 * i + k, 1_000) })),
          constraints: { must_not_be: Array.from({ length: 100 }, (_, k) => prose(material, 100 * i + k, 1_000)) },
        }),
      }),
  },
];
