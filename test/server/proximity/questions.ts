import type { Fixture } from '../service-fixture.ts';

/** A place of Bangor. */
export const HERE = { lat: 44.8, lng: -68.77 };

/** Roads that answer for it. */
export const region = {
  dataset: 'osm_roads',
  source: 'OpenStreetMap',
  sourceUrl: null,
  vintage: '2026-11',
  note: null,
  place: 'maine',
  box: [-71, 43, -67, 47],
  fastest: 110,
} as const;

/** Posts to an operation with the fixture's token. @param body JSON text, or what becomes it. */
export const postTo = ({ app, token }: Fixture, path: string, body: unknown) =>
  app.inject({
    method: 'POST',
    url: `/v1/proximity${path}`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    payload: typeof body === 'string' ? body : JSON.stringify(body),
  });
