import { describe, expect, it } from 'vitest';
import { readInput } from '../../../server/lookup/input.ts';

const LAT = 44 + 48 / 60 + 6 / 3600;
const LNG = -(68 + 46 / 60 + 17 / 3600);

describe('a coordinate as people copy it', () => {
  it.each([
    ['44.80,-68.77', 44.8, -68.77],
    ['(44.80 -68.77)', 44.8, -68.77],
    ['44.8N, 68.77W', 44.8, -68.77],
    ['N44.8 W68.77', 44.8, -68.77],
    ['N44.8W68.77', 44.8, -68.77],
    ['44.8N68.77W', 44.8, -68.77],
    ['44.8° North, 68.77° West', 44.8, -68.77],
    ['lat 44.8, lng -68.77', 44.8, -68.77],
    ['geo:44.8,-68.77', 44.8, -68.77],
    ['geo:44.8,-68.77;u=35', 44.8, -68.77],
    ['POINT(-68.77 44.8)', 44.8, -68.77],
    ['POINT(-68.77, 44.8)', 44.8, -68.77],
    ['44.8, -68.77.', 44.8, -68.77],
    ['{"lat":44.8,"lng":-68.77}', 44.8, -68.77],
    ['{"longitude": -68.77, "latitude": 44.8}', 44.8, -68.77],
    ['lat=44.8&lon=-68.77', 44.8, -68.77],
    ['44-48-06N 68-46-17W', LAT, LNG],
    ['44-48-06.0N, 068-46-17.0W', LAT, LNG],
    ['SRID=4326;POINT (-68.77 44.8)', 44.8, -68.77],
    [`44°48'6"N 68°46'17"W`, LAT, LNG],
    ['44° 48′ 6″ N, 68° 46′ 17″ W', LAT, LNG],
    ['44º48’6”N, 68º46’17”W', LAT, LNG],
    [`N 44° 48.1' W 68° 46.2833333333'`, LAT, LNG],
    ['44 48 06 N, 68 46 17 W', LAT, LNG],
    ['44 48 06 N 68 46 17 W', LAT, LNG],
    ['44:48:06N 68:46:17W', LAT, LNG],
    ['44d48m6sN 68d46m17sW', LAT, LNG],
  ])('%s', (text, lat, lng) => {
    const input = readInput(text, null);
    expect(input.kind).toBe('coord');
    if (input.kind !== 'coord') return;
    expect(input.point.lat).toBeCloseTo(lat, 6);
    expect(input.point.lng).toBeCloseTo(lng, 6);
  });

  it.each(['68.77W, 44.8N', 'W68.77 N44.8', '68.77, 44.8', '68.77N, 44.8W', 'POINT(44.8 -68.77)', 'geo:-68.77,44.8'])(
    'is refused where it is swapped: %s',
    text => expect(() => readInput(text, null)).toThrow(expect.objectContaining({ code: 'resolve_coord_bounds' })),
  );

  it.each([
    ['123 456', 'apn'],
    ['044-112-003', 'apn'],
    ['12 34 56 78', 'apn'],
    ['44/68', 'apn'],
    ['N6W23001 Bluemound Rd, Waukesha, WI', 'address'],
    ['N6W23001', 'address'],
    ['44 N 68 W', 'coord'],
    [`44°61'N 68°0'W`, 'address'],
  ])('is told from other texts: %s', (text, kind) => expect(readInput(text, null).kind).toBe(kind));
});
