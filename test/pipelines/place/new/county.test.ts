import { describe, expect, it } from 'vitest';
import { countyOf } from '../../../../pipelines/place/new/county.ts';

/** What is said of a text that means no county. */
function refusal(text: string): string {
  try {
    return countyOf(text).county;
  } catch (error) {
    return (error as Error).message;
  }
}

describe('a county by its name', () => {
  it.each([
    ['23019', '23019'],
    ['Penobscot, ME', '23019'],
    ['penobscot county, Maine', '23019'],
    ['St. Louis, MN', '27137'],
    ['45.3, -68.6', '23019'],
    ['-68.6, 45.3', '23019'],
    // Bangor and Honolulu, where the boxes of counties overlap.
    ['44.8,-68.77', '23019'],
    ['21.3 -157.85', '15003'],
    // Adak lies west of 180 degrees, New York beside a river, Hartford in a planning region.
    ['51.88, -176.65', '02016'],
    ['40.7128, -74.0060', '36061'],
    ['41.76, -72.67', '09110'],
    ['Capitol, CT', '09110'],
    ['Miami Dade, FL', '12086'],
    ['44.8° N, 68.77° W', '23019'],
    ['68.77 W, 44.8 N', '23019'],
    ['Penobscot County Maine', '23019'],
    ['PENOBSCOT COUNTY, ME.', '23019'],
    ['St. Louis city, MO', '29510'],
    ['City of St. Louis, Missouri', '29510'],
    ['St. Louis County, MO', '29189'],
    ['Richmond County, VA', '51159'],
    // Only a city has the name.
    ['Bristol, VA', '51520'],
    ['City of Bristol, VA', '51520'],
    ['Bristol city, VA', '51520'],
    ['Doña Ana, NM', '35013'],
    ['LaSalle Parish, LA', '22059'],
    ['Sainte Genevieve, MO', '29186'],
    ['King & Queen, VA', '51097'],
    ['Municipality of Anchorage, AK', '02020'],
    ['City and Borough of Juneau, AK', '02110'],
    ['Kusilvak Census Area, AK', '02158'],
    ['Capitol Planning Region, CT', '09110'],
    ['Carson City, NV', '32510'],
    ['City and County of Denver, CO', '08031'],
    ['Brooklyn, NY', '36047'],
    ['DC', '11001'],
    ['Washington, D.C.', '11001'],
    ['District of Columbia', '11001'],
  ])('%s', (text, county) => expect(countyOf(text).county).toBe(county));

  it.each([
    ['99999', 'is the code of no county'],
    ['23018', 'nearest: 23017 (Oxford, ME), 23019 (Penobscot, ME)'],
    ['1001', 'has lost its leading zero; nearest: 01001 (Autauga, AL)'],
    ['Penobscot', 'names no county with its state; nearest: 23019 (Penobscot, ME)'],
    ['Penobscott, ME', 'nearest: 23019 (Penobscot, ME)'],
    ['Penobscot, NH', 'names no county of New Hampshire; nearest: 23019 (Penobscot, ME)'],
    ['Penobscot, Main', 'names no state ("Main"); nearest: 23019 (Penobscot, ME)'],
    ['Fairfield, CT', /nearest: 09120 [^,]*, CT\), 09140 [^,]*, CT\) or 09190 [^,]*, CT\);/],
    ['Middlesex, CT', /nearest: 09130 [^,]*, CT\);/],
    ['02261', 'nearest: 02063 (Chugach, AK) or 02066 (Copper River, AK);'],
    ['St. Louis, MO', 'may be the county or the city of that name ("St. Louis County, MO" or "St. Louis city, MO")'],
    ['Richmond, VA', 'nearest: 51159 (Richmond, VA) or 51760 (Richmond city, VA)'],
    [
      'Wade Hampton Census Area, AK',
      'is a county of the past, which the Census Bureau publishes no more; nearest: 02158',
    ],
    ['46113', 'is a county of the past, which the Census Bureau publishes no more; nearest: 46102 (Oglala Lakota, SD)'],
    ['Bedford city, VA', 'nearest: 51019 (Bedford, VA)'],
    ['23999', 'is a made-up county; the synthetic area, which has such, is built in'],
    ['San Juan Municipio, PR', 'lies in Puerto Rico; a place can be of a county of the 50 states and'],
    ['Mayagüez, Puerto Rico', 'lies in Puerto Rico'],
    ['66010', 'lies in Guam'],
    ['New York', 'names no county with its state'],
    ['68.77 W, 44.8 W', 'lies in no county'],
    ['10, 20', 'lies in no county of the 50 states and the District of Columbia'],
    // In the Gulf of Maine, and on the river between Bangor's county and the next.
    ['43.0, -69.0', 'lies in no county of the 50 states'],
    ['44.49, -68.80', 'lies so near a boundary that it may be of'],
  ])('%s is none', (text, why) => expect(() => countyOf(text)).toThrow(why));
});

it('a county of the past names those that have its towns', () => {
  const towns = [
    // Bridgeport, Shelton and Danbury of Fairfield; Hartford, Bristol and Burlington of Hartford.
    ...[
      ['09001', 41.18, -73.2, '09120'],
      ['09001', 41.31, -73.14, '09140'],
      ['09001', 41.4, -73.47, '09190'],
    ],
    ...[
      ['09003', 41.76, -72.67, '09110'],
      ['09003', 41.68, -72.94, '09140'],
      ['09003', 41.77, -72.96, '09160'],
    ],
    // Watertown, Torrington and New Milford of Litchfield; Middletown; Waterbury and New Haven.
    ...[
      ['09005', 41.61, -73.12, '09140'],
      ['09005', 41.8, -73.12, '09160'],
      ['09005', 41.58, -73.41, '09190'],
    ],
    ...[
      ['09007', 41.56, -72.65, '09130'],
      ['09009', 41.56, -73.04, '09140'],
      ['09009', 41.31, -72.92, '09170'],
    ],
    // Lyme, Voluntown and Norwich of New London; Vernon and Union of Tolland; Putnam and Windham of Windham.
    ...[
      ['09011', 41.39, -72.35, '09130'],
      ['09011', 41.57, -71.85, '09150'],
      ['09011', 41.52, -72.08, '09180'],
    ],
    ...[
      ['09013', 41.84, -72.46, '09110'],
      ['09013', 41.99, -72.16, '09150'],
    ],
    ...[
      ['09015', 41.91, -71.9, '09150'],
      ['09015', 41.7, -72.16, '09180'],
    ],
  ] as const;
  for (const [past, found] of Map.groupBy(towns, ([county]) => county)) {
    const now = new Set(
      found.map(([, lat, lng, region]) => {
        expect(countyOf(`${lat}, ${lng}`).county, `${past} ${lat}, ${lng}`).toBe(region);
        return region;
      }),
    );
    expect(new Set(refusal(past).match(/\b09[1-9]\d{2}\b/g)), past).toEqual(now);
  }
});
