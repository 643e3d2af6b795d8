import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { distance } from '../../../query/geometry/geodesic.ts';

/** A question as a routing provider hears it. */
export interface Heard {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

type Place = readonly [lng: number, lat: number];

/** Metres a second of the loopback's cars; they drive straight. */
export const SPEED = 20;
/** North of it no road is; east of -60 lies an island. */
export const ROADLESS_LAT = 60;
export const ISLAND_LNG = -60;

const seconds = (a: Place, b: Place) => distance(a[0], a[1], b[0], b[1]) / SPEED;
const isReached = (a: Place, b: Place) => a[0] > ISLAND_LNG === b[0] > ISLAND_LNG;

function osrmTable({ path, query }: Heard): unknown {
  const all = path
    .split('/')
    .at(-1)!
    .split(';')
    .map(text => text.split(',').map(Number) as unknown as Place);
  const chosen = (name: string) =>
    query
      .get(name)!
      .split(';')
      .map(i => all[Number(i)]!);
  const [from, to] = [chosen('sources'), chosen('destinations')];
  const rows = (of: (a: Place, b: Place) => number) => from.map(a => to.map(b => (isReached(a, b) ? of(a, b) : null)));
  const waypoint = ([lng, lat]: Place) => ({
    hint: '',
    location: [lng, lat],
    name: '',
    distance: lat > ROADLESS_LAT ? 5_000 : 12.5,
  });
  return {
    code: 'Ok',
    data_version: '2026-11-01',
    durations: rows(seconds),
    distances: rows((a, b) => seconds(a, b) * SPEED),
    sources: from.map(waypoint),
    destinations: to.map(waypoint),
  };
}

interface Location {
  readonly lat: number;
  readonly lon: number;
}
const place = ({ lon, lat }: Location): Place => [lon, lat];

function valhallaAnswer({ path, body }: Heard): readonly [status: number, answer: unknown] {
  if (path.endsWith('/locate')) {
    const { locations } = body as { locations: Location[] };
    return [
      200,
      locations.map(({ lat, lon }) => ({
        input_lat: lat,
        input_lon: lon,
        edges:
          lat > ROADLESS_LAT ? null : [{ way_id: 1, correlated_lat: lat, correlated_lon: lon, side_of_street: 'left' }],
        nodes: null,
      })),
    ];
  }
  const { sources, targets } = body as { sources: Location[]; targets: Location[] };
  if ([...sources, ...targets].some(({ lat }) => lat > ROADLESS_LAT))
    return [
      400,
      { error_code: 171, error: 'No suitable edges near location', status_code: 400, status: 'Bad Request' },
    ];
  const cell = (a: Location, i: number, b: Location, j: number) => {
    const time = isReached(place(a), place(b)) ? seconds(place(a), place(b)) : null;
    return { from_index: i, to_index: j, time, distance: time === null ? null : (time * SPEED) / 1000 };
  };
  return [
    200,
    {
      algorithm: 'costmatrix',
      units: 'kilometers',
      sources_to_targets: sources.map((a, i) => targets.map((b, j) => cell(a, i, b, j))),
    },
  ];
}

/** What a test may do instead of answering; true when it did. */
type Instead = (response: ServerResponse, times: number) => boolean;

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}

/** A provider that speaks both protocols, on this machine. */
export async function openLoopback() {
  const heard: Heard[] = [];
  let instead: Instead = () => false;
  const server = createServer(async (request, response) => {
    const url = new URL(request.url!, 'http://127.0.0.1');
    const text = await textOf(request);
    const asked: Heard = { path: url.pathname, query: url.searchParams, body: text === '' ? null : JSON.parse(text) };
    heard.push(asked);
    if (instead(response, heard.length)) return;
    const [status, answer] = asked.path.startsWith('/table/')
      ? ([200, osrmTable(asked)] as const)
      : valhallaAnswer(asked);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    /** Answers as it should again, and forgets what it heard. */
    reset(next: Instead = () => false) {
      heard.length = 0;
      instead = next;
    },
    async close() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
export type Loopback = Awaited<ReturnType<typeof openLoopback>>;
