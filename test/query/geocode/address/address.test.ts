import { describe, expect, it } from 'vitest';
import { parseAddress } from '../../../../query/geocode/address/address.ts';
import { streetText } from '../../../../query/geocode/address/street.ts';

/** The likeliest reading of a street with its suffix, with a city where one has it: number, street, unit, city, state, ZIP code. */
function read(address: string) {
  const { located, zip } = parseAddress(address);
  const readings = located.flatMap(({ state, readings }) => readings.map(r => ({ ...r, state })));
  const suffixed = readings.filter(r => r.street && (r.street.suffix ?? r.street.highway ?? r.street.post));
  const best =
    suffixed.find(r => r.city !== null) ??
    suffixed[0] ??
    readings.find(r => r.city !== null && r.street) ??
    readings[0];
  return [
    best?.number?.text ?? null,
    best?.street ? streetText(best.street) : null,
    best?.unit ?? null,
    best?.city ?? null,
    best?.state ?? null,
    zip,
  ];
}

// Addresses that parsers of the npm registry and others were reported to fail on.
const REPORTED: Readonly<Record<string, readonly (string | null)[]>> = {
  '1784 N St NW, Washington, DC 20036, United States': ['1784', 'N ST NW', null, 'WASHINGTON', 'DC', '20036'],
  '328 Massachusetts Ave NE # 4, Washington, DC 20002, United States': [
    '328',
    'MASSACHUSETTS AVE NE',
    '# 4',
    'WASHINGTON',
    'DC',
    '20002',
  ],
  'N95W18000 Appleton Ave, Menomonee Falls, WI 53051': [
    'N95W18000',
    'APPLETON AVE',
    null,
    'MENOMONEE FALLS',
    'WI',
    '53051',
  ],
  'W148 N9748 Tree Tops Dr\nGermantown, WI 53022': ['W148N9748', 'TREE TOPS DR', null, 'GERMANTOWN', 'WI', '53022'],
  '3180 N Harbor Dr, San Diego, CA 92101, USA': ['3180', 'N HARBOR DR', null, 'SAN DIEGO', 'CA', '92101'],
  '34 E Terrace Ave, Flagstaff, Arizona 86001, United States': [
    '34',
    'E TERRACE AVE',
    null,
    'FLAGSTAFF',
    'AZ',
    '86001',
  ],
  '1005 Gravenstein Hwy 95472 &': ['1005', 'GRAVENSTEIN HWY', null, null, 'CA', '95472'],
  '1104 Watkins Glen Ct 104, Marysville, OH 43040': ['1104', 'WATKINS GLEN CT', '# 104', 'MARYSVILLE', 'OH', '43040'],
  '256 County Road 634, Athens, TN 37303': ['256', 'COUNTY ROAD 634', null, 'ATHENS', 'TN', '37303'],
  '138 Co Rd 502, Etowah, TN 37331': ['138', 'COUNTY ROAD 502', null, 'ETOWAH', 'TN', '37331'],
  '1873 State Rte 6, # C, Rome, OH 44085': ['1873', 'STATE ROUTE 6', '# C', 'ROME', 'OH', '44085'],
  '980 State Highway 23, Unit 5, Oneonta, NY 13820': ['980', 'STATE HIGHWAY 23', 'UNIT 5', 'ONEONTA', 'NY', '13820'],
  '3911 E State Hwy D, Unit A101, Springfield, MO 65809': [
    '3911',
    'E STATE HIGHWAY D',
    'UNIT A101',
    'SPRINGFIELD',
    'MO',
    '65809',
  ],
  '6901 County Rd 110, Apt 10302, Round Rock, TX 78665': [
    '6901',
    'COUNTY ROAD 110',
    'APT 10302',
    'ROUND ROCK',
    'TX',
    '78665',
  ],
  '11919 State Hwy 93, Lot C, Boulder, CO 80303': ['11919', 'STATE HIGHWAY 93', 'LOT C', 'BOULDER', 'CO', '80303'],
  '5210 Castlewood Rd Apt E, North Chesterfield, VA 23234': [
    '5210',
    'CASTLEWOOD RD',
    'APT E',
    'NORTH CHESTERFIELD',
    'VA',
    '23234',
  ],
  '485 State St Apt B, Steelton, PA 17113': ['485', 'STATE ST', 'APT B', 'STEELTON', 'PA', '17113'],
  '67A Alameda De Las Pulgas, Redwood City, CA 94062': [
    '67A',
    'ALAMEDA DE LAS PULGAS',
    null,
    'REDWOOD CITY',
    'CA',
    '94062',
  ],
  '11 Bristol St Apt 2, East Cambridge, MA 02141': ['11', 'BRISTOL ST', 'APT 2', 'EAST CAMBRIDGE', 'MA', '02141'],
  '38350 40TH ST EAST 100 PALMDALE CA 93552': ['38350', '40TH ST E', '# 100', 'PALMDALE', 'CA', '93552'],
  '2410 N ST NE,APT B,AUBURN,WA,98002': ['2410', 'N ST NE', 'APT B', 'AUBURN', 'WA', '98002'],
  '10 North St, Old Bridge, NJ 08857': ['10', 'NORTH ST', null, 'OLD BRIDGE', 'NJ', '08857'],
  '1807 Glenwood St. NE, Palm Bay FL 32907': ['1807', 'GLENWOOD ST NE', null, 'PALM BAY', 'FL', '32907'],
  '88 E 1160 S SUITE A, ST GEORGE, UT': ['88', 'E 1160 S', 'STE A', 'ST GEORGE', 'UT', null],
  '2035 State Route 27 #2150, Edison, New Jersey, 08817-3351, United States': [
    '2035',
    'STATE ROUTE 27',
    '# 2150',
    'EDISON',
    'NJ',
    '08817',
  ],
  '912-914 8TH ST, CLARKSTON, WA 99403': ['912-914', '8TH ST', null, 'CLARKSTON', 'WA', '99403'],
  '12200 Montecito Road #H206 Seal Beach CA 90740': ['12200', 'MONTECITO RD', '# H206', 'SEAL BEACH', 'CA', '90740'],
  '481 Guibor Ct NW, Kennesaw, GA 30144': ['481', 'GUIBOR CT NW', null, 'KENNESAW', 'GA', '30144'],
  '701 St. Anns Avenue Bronx, NY': ['701', 'ST ANNS AVE', null, 'BRONX', 'NY', null],
  '32 1/2 Main Street, Arlington, VA': ['32 1/2', 'MAIN ST', null, 'ARLINGTON', 'VA', null],
  '18-D Main Street, Arlington, VA': ['18D', 'MAIN ST', null, 'ARLINGTON', 'VA', null],
  'LOT 2-B, 500 MN HWY 108, Dent, MN 56528': ['500', 'STATE HIGHWAY 108', 'LOT 2B', 'DENT', 'MN', '56528'],
  '4984 HWY 6 NORTH, HOUSTON TX 77084': ['4984', 'HIGHWAY 6 N', null, 'HOUSTON', 'TX', '77084'],
};

describe('addresses taken apart', () => {
  for (const [address, expected] of Object.entries(REPORTED))
    it(address.replaceAll('\n', ', '), () => expect(read(address)).toEqual(expected));

  it('keeps a city of several words without commas among its readings', () => {
    const readings = parseAddress('123 S 400 E Salt Lake City UT 84111').located.flatMap(l => l.readings);
    expect(readings.map(r => [r.street && streetText(r.street), r.city])).toContainEqual(['S 400 E', 'SALT LAKE CITY']);
  });

  it('reads a last word that is a suffix or directional both ways', () => {
    const states = (address: string) => parseAddress(address).located.map(l => l.state);
    expect(states('12 Pine Ct')).toEqual(['CT', null]);
    expect(states('100 K St NE')).toEqual(['NE', null]);
    expect(states('100 K St NE, Washington DC')).toEqual(['DC']);
  });

  it('knows addresses of other countries', () => {
    for (const abroad of [
      '24 Sussex Dr, Ottawa, ON K1M 1M4',
      '10 Downing St, London SW1A 2AA',
      'Calle 5, Monterrey, Mexico',
    ])
      expect(parseAddress(abroad).abroad).toBe(true);
    for (const home of ['12 Main St, Mexico, ME', '5 Paris Rd, Norway, ME 04268', '1 Main St, Santa Fe, New Mexico'])
      expect(parseAddress(home).abroad).toBe(false);
  });
});
