import { ShapeError } from '../http/shape.ts';
import type { Locator, LocatorBody } from '../locator.ts';

const missing = (key: 'lat' | 'lng', input: unknown) =>
  new ShapeError([
    { loc: ['body', key], msg: 'Field required: `lat` and `lng` go together', type: 'missing', input, ctx: {} },
  ]);

const refused = (found: string, input: unknown) => {
  const error = `expected either \`lat\` and \`lng\` or \`address\`, but ${found}`;
  return new ShapeError([{ loc: ['body'], msg: `Value error, ${error}`, type: 'value_error', input, ctx: { error } }]);
};

/**
 * Reads the one locator of an enrich body. Fetch has an error code for a wrong locator. Here both forms, neither form
 * and half a coordinate are errors of shape, as the interface of POST /v1/enrich says.
 * @throws ShapeError.
 */
export function readEnrichLocator(body: LocatorBody): Locator {
  const { lat = null, lng = null, address = null } = body;
  if (address !== null) {
    if (lat !== null || lng !== null) throw refused('both forms were sent', body);
    return { address };
  }
  if (lat === null && lng === null) throw refused('neither was sent', body);
  if (lat === null) throw missing('lat', body);
  if (lng === null) throw missing('lng', body);
  return { point: { lng, lat } };
}
