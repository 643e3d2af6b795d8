import { describe, expect, it, vi } from 'vitest';
import { SITING_TEMPLATES } from '../../datasets/siting-templates.ts';
import { numberOf, portfolioOf, uploadOf } from '../../web/accumulation/portfolio.ts';
import { drawnState } from '../../web/area/area-drawing.ts';
import { nearOf, readNear } from '../../web/area/near.ts';
import { endpointWords } from '../../web/console/endpoint-words.ts';
import { collected } from '../../web/export/export-file.ts';
import { cornersOf, middlesOf } from '../../web/map/corners.ts';
import { circleAbout, metresBetween } from '../../web/map/drawing.ts';
import { besideOf, withBeside } from '../../web/parcel/beside-places.ts';
import { buildableBody } from '../../web/parcel/buildable-body.ts';
import { baseFloodWords, buildingName, floodLabel, floodWords } from '../../web/parcel/building-words.ts';
import { hasWords, TEMPLATES } from '../../web/parcel/exclusion-words.ts';
import { barsOf, boundedBy, boundsBetween, boundsOf } from '../../web/search/histogram-bins.ts';
import { measureBody, readMeasure } from '../../web/search/measure.ts';
import { classOf, quantileClasses } from '../../web/search/quantiles.ts';
import { columnsOf, orderOf, rankRequest, weightsOf, weightsText } from '../../web/search/ranking.ts';
import { rowsCsv } from '../../web/search/rows-csv.ts';
import { watchBody, watchedFields } from '../../web/watch/watch-body.ts';

// The address of a page listens for the way back when it is loaded.
vi.hoisted(() => vi.stubGlobal('addEventListener', () => {}));

describe('classes of a legend', () => {
  it('hold about equally many values, and equal values together', () => {
    const values = Array.from({ length: 100 }, (_, i) => i);
    const classes = quantileClasses(values, 5);
    expect(classes.map(({ least }) => least)).toEqual([0, 20, 40, 60, 80]);
    expect(values.map(value => classOf(value, classes)).filter(one => one === 3)).toHaveLength(20);
    expect(quantileClasses([7, 7, 7, 7, 9], 5)).toEqual([
      { least: 7, greatest: 7 },
      { least: 9, greatest: 9 },
    ]);
    expect(quantileClasses([], 5)).toEqual([]);
    expect(quantileClasses([3], 5)).toEqual([{ least: 3, greatest: 3 }]);
  });
});

describe('a reach about a place', () => {
  it('is typed in the units of the reader, of a coordinate in either order or an address', () => {
    expect(nearOf('-68.77, 44.8', '1', 'miles')).toEqual({ lat: 44.8, lng: -68.77, within_m: 1609.3 });
    expect(nearOf('73 Harlow St', '1,000', 'feet')).toEqual({ address: '73 Harlow St', within_m: 304.8 });
    expect(nearOf('44.8 -68.77', '10', 'minutes')).toEqual({ lat: 44.8, lng: -68.77, drive_minutes: 10 });
    for (const amount of ['', '0', '-1', 'far', 'Infinity'])
      expect(nearOf('44.8, -68.77', amount, 'meters')).toBeNull();
    expect(nearOf(' ', '1', 'miles')).toBeNull();
  });

  it('is read from an address of the page, where nothing else is one', () => {
    expect(readNear('{"lat":1,"lng":2,"within_m":3,"x":4}')).toEqual({ lat: 1, lng: 2, within_m: 3 });
    for (const text of [
      undefined,
      '',
      '{',
      '[]',
      'null',
      '{"lat":1}',
      '{"lat":1,"lng":2}',
      '{"address":5,"within_m":1}',
    ])
      expect(readNear(text)).toBeNull();
  });
});

describe('a table', () => {
  it('has the columns and the order of its address, or else the size and what is asked for', () => {
    const filters = [
      { field: 'state', op: 'eq', value: 'ME' },
      { field: 'parval', op: 'gt', value: 1 },
      { field: 'geometry', op: 'within', value: {} },
    ];
    expect(columnsOf({}, filters)).toEqual(['acreage', 'parval']);
    expect(columnsOf({ cols: 'city,city,,state' }, filters)).toEqual(['city']);
    expect(orderOf({})).toEqual({ field: 'acreage', direction: 'desc' });
    expect(orderOf({ sort: 'city' })).toEqual({ field: 'city', direction: 'asc' });
    expect(rankRequest(filters, { rows: '1000' }).body).toMatchObject({ limit: 1000, fields: ['acreage', 'parval'] });
    expect(rankRequest(filters, { rows: 'many' }).body).toMatchObject({
      limit: 20,
      fields: ['acreage', 'parval', 'geometry'],
    });
  });
});

describe('a score', () => {
  const state = { score: 'acreage*3,-slope_percent*10' };
  it('is read from an address of the page, where nothing else is one', () => {
    const weights = weightsOf(state);
    expect(weights).toEqual([
      { field: 'acreage', weight: 3, prefer: 'high' },
      { field: 'slope_percent', weight: 10, prefer: 'low' },
    ]);
    expect(weightsText(weights)).toBe(state.score);
    for (const score of ['', 'acreage', 'acreage*0', 'acreage*11', 'acreage*1.5', '*3', 'a b*3'])
      expect(weightsOf({ score })).toEqual([]);
    // A field weighs once.
    expect(weightsOf({ score: 'acreage*3,acreage*4' })).toEqual([{ field: 'acreage', weight: 4, prefer: 'high' }]);
  });

  it('takes the place of an order, and its fields are columns', () => {
    const filters = [{ field: 'state', op: 'eq', value: 'ME' }];
    const { body } = rankRequest(filters, state) as { readonly body: Readonly<Record<string, unknown>> };
    expect(body).toMatchObject({ score: weightsOf(state), fields: ['acreage', 'slope_percent', 'geometry'] });
    expect(body).not.toHaveProperty('order_by');
    expect(rankRequest(filters, {}).body).not.toHaveProperty('score');
  });
});

describe('a watch', () => {
  const subject = { parcel_ids: ['pcl_a'] };
  it('tells a mail address or a program, and nobody while neither was typed', () => {
    expect(watchBody(subject, ['owner'], ' ann@example.org ')).toEqual({
      ...subject,
      fields: ['owner'],
      callback: { email: 'ann@example.org' },
    });
    expect(watchBody(subject, ['owner'], 'https://hooks.example.org/a')).toMatchObject({
      callback: { webhook_url: 'https://hooks.example.org/a' },
    });
    for (const to of ['', 'ann', 'ann@example', 'http://hooks.example.org', 'ann@example.org, bob@example.org'])
      expect(watchBody(subject, ['owner'], to)).toBeNull();
    expect(watchBody(subject, [], 'ann@example.org')).toBeNull();
  });

  it('is offered what is asked for first, each field once', () => {
    expect(watchedFields(['owner', 'slope']).slice(0, 3)).toEqual(['owner', 'slope', 'zoning']);
    expect(new Set(watchedFields(['owner'])).size).toBe(watchedFields(['owner']).length);
  });
});

describe('measures of groups', () => {
  it('are the number of parcels unless an address says otherwise', () => {
    expect(measureBody(readMeasure(undefined))).toEqual({ op: 'count' });
    expect(measureBody(readMeasure('drop:parval'))).toEqual({ op: 'count' });
    expect(measureBody(readMeasure('median:parval'))).toEqual({ op: 'quantile', field: 'parval', q: 0.5 });
    expect(measureBody(readMeasure('least:parval'))).toEqual({ op: 'min', field: 'parval' });
  });
});

describe('features that follow each other', () => {
  it('become one GeoJSON', () => {
    const [one, other] = [
      { type: 'Feature', id: 1 },
      { type: 'Feature', properties: { note: 'a \u001f b' } },
    ];
    const text = `\u001e${JSON.stringify(one)}\n\u001e${JSON.stringify(other)}\n`;
    expect(JSON.parse(collected(text))).toEqual({ type: 'FeatureCollection', features: [one, other] });
    expect(JSON.parse(collected(''))).toEqual({ type: 'FeatureCollection', features: [] });
  });
});

describe('templates of buildable ground', () => {
  it('are all offered, and each exclusion has a name for people', () => {
    expect(TEMPLATES.map(([name]) => name).sort()).toEqual([...SITING_TEMPLATES.keys()].sort());
    const layers = [...SITING_TEMPLATES.values()].flatMap(({ exclusions }) => exclusions.map(({ layer }) => layer));
    for (const layer of [...layers, 'boundary', 'usgs_3dep:slope_percent']) expect(layer).toSatisfy(hasWords);
  });
});

describe('a histogram', () => {
  it('has bounds at equal distances, or at equal factors where most values are far below the greatest', () => {
    expect(boundsBetween(0, 24, false)).toEqual(Array.from({ length: 25 }, (_, i) => i));
    const factors = boundsBetween(0.01, 1000, false);
    expect([factors[0], factors.at(-1)]).toEqual([0.01, 1000]);
    expect(factors[12]! / factors[0]!).toBeCloseTo(factors[24]! / factors[12]!, -1);
    expect(boundsBetween(1950, 2020, true)).toEqual([...new Set(boundsBetween(1950, 2020, true))]);
    expect(boundsBetween(1950.01, 1950.09, false)).toHaveLength(25);
    expect(boundsBetween(5, 5, false)).toEqual([]);
  });

  it('counts what is farther out in its outer bars, and what has no value in none', () => {
    const group = (from: number | null, to: number | null, count: number) => ({ key: [{ from, to }], count });
    const groups = [group(null, 0, 2), group(0, 1, 3), group(2, null, 5), { key: [null], count: 7 }];
    expect(barsOf(groups, [0, 1, 2]).map(({ count }) => count)).toEqual([5, 5]);
  });

  it('is bounded as its condition is, both ways', () => {
    expect(boundsOf('between', ['1', '2,000'])).toEqual({ from: 1, to: 2000 });
    expect(boundsOf('lte', ['3'])).toEqual({ from: null, to: 3 });
    expect(boundsOf('gte', [''])).toEqual({ from: null, to: null });
    expect(boundedBy({ from: 1, to: 2 }, 0)).toEqual({ op: 'between', values: ['1', '2'] });
    expect(boundedBy({ from: null, to: 2 }, 0)).toEqual({ op: 'lte', values: ['2'] });
    expect(boundedBy({ from: null, to: null }, 0)).toEqual({ op: 'gte', values: ['0'] });
  });
});

describe('what is drawn', () => {
  it('is an area as it is, and what is within a distance of a line or of the middle of a circle', () => {
    expect(JSON.parse(drawnState({ type: 'Circle', center: [-70, 43], metres: 12.34 }, 9).near!)).toEqual({
      ...{ lat: 43, lng: -70 },
      within_m: 12.3,
    });
    const line = [
      [-70, 43],
      [-70.1, 43],
    ] as const;
    expect(JSON.parse(drawnState({ type: 'LineString', coordinates: line }, 152.4).near!)).toEqual({
      geometry: { type: 'MultiLineString', coordinates: [line] },
      within_m: 152.4,
    });
    expect(drawnState({ type: 'Polygon', coordinates: [] }, 9)).toMatchObject({ near: '', area: expect.any(String) });
  });

  it('has a circle whose edge is as far from its middle as was clicked, and corners with points between', () => {
    expect(metresBetween([-70, 43], [-70, 44])).toBeCloseTo(111_195, -1);
    for (const at of circleAbout([-70, 43], 500)) expect(metresBetween([-70, 43], at)).toBeCloseTo(500, 0);
    const ring = [
      [0, 0],
      [2, 0],
      [2, 2],
      [0, 0],
    ] as const;
    expect(middlesOf(cornersOf({ type: 'Polygon', coordinates: [ring] })!)).toEqual([
      [1, 0],
      [2, 1],
      [1, 1],
    ]);
    expect(cornersOf({ type: 'Polygon', coordinates: [ring, ring] })).toBeNull();
  });
});

describe('rows of a table', () => {
  it('are CSV whose texts no spreadsheet takes for a formula', () => {
    const rows = [
      [1.5, '=1+1'],
      [null, 'x, y'],
    ];
    expect(rowsCsv(['a', 'b "c"'], rows)).toBe('a,"b ""c"""\r\n1.5,\'=1+1\r\n,"x, y"\r\n');
    expect(rowsCsv(['a'], [[-5]])).toBe('a\r\n-5\r\n');
  });
});

describe('what was used', () => {
  it('is told in words, whatever it is filed under', () => {
    expect(endpointWords('fetch/batch')).toBe('Values of many places');
    expect(endpointWords('some/new_thing')).toBe('Some new thing');
  });
});

describe('a portfolio', () => {
  it('is what a table has of places and numbers, by its names', () => {
    const text = 'Site;Latitude;Longitude;Insured value;Roof\nMill;43;-70;$1,000,000;flat\nMill;43.1;-70;;\n;;-70;5;\n';
    const portfolio = portfolioOf(text)!;
    expect(portfolio.columns).toEqual(['Insured value']);
    expect(uploadOf(portfolio, 'Insured value')).toBe(
      'lat,lng,custom_id,Insured value\n43,-70,Mill,1000000\n43.1,-70,Line 3,\n',
    );
    expect(portfolioOf('a,b\n1,2\n')).toBeNull();
    expect(portfolioOf('lat,lng,name\n1,2,x\n')).toBeNull();
    expect(['$1,250', ' 7 ', '', 'many'].map(numberOf)).toEqual([1250, 7, null, null]);
  });
});

describe('a building', () => {
  const known = { status: 'ok', reason: null, retryable: false, source: '', source_url: null, dataset_vintage: null };
  const share = { ...known, verdict: 'inside', share: 0.4, share_least: 0.1, share_most: 0.9 };
  const building = {
    ...{ area_m2: 100, share_on_ground: 0.5, occupancy_class: 'Residential' },
    special_flood_hazard_area: share,
    flood_zone: { ...known, zone: 'AE', shares: [] },
    floodplain_500yr: { ...share, verdict: 'outside', share: 0 },
    lowest_ground: { ...known, value_m: 3, error_m: 0.3 },
    height_above_base_flood: { ...known, verdict: 'below', value_m: -1, error_m: 0.5 },
  } as Parameters<typeof floodWords>[0];

  it('is told with what the maps leave open', () => {
    vi.stubGlobal('localStorage', { getItem: () => null });
    expect(buildingName(building, 1)).toBe('Building 1: 1,076 sq ft, Residential, 50 % of it on this parcel');
    expect(floodLabel(building)).toBe('In a flood zone');
    expect(floodWords(building)).toBe(
      '40 % of it lies in the special flood hazard area as drawn, zone AE; 10 % to 90 % if the lines are off by their stated accuracy.',
    );
    expect(baseFloodWords(building)).toBe('Lowest ground 9.8 ft (± 1 ft), 3.3 ft (± 1.6 ft) below the base flood.');
    const gap = { ...known, status: 'absent', reason: 'The map states none.' } as const;
    const bare = { ...building, height_above_base_flood: { ...gap, verdict: null, value_m: null, error_m: null } };
    expect(baseFloodWords(bare as typeof building)).toBe(
      'Lowest ground 9.8 ft (± 1 ft). Height above the base flood is not known: the map states none.',
    );
    const dark = { ...share, ...gap, verdict: null, share: null, share_least: null, share_most: null };
    expect(floodWords({ ...building, special_flood_hazard_area: dark } as typeof building)).toBe(
      'The map states none.',
    );
  });
});

describe('parcels side by side', () => {
  it('are two beside the first, of which the oldest gives way', () => {
    const one = withBeside(undefined, { lat: 43, lng: -70 });
    expect(besideOf(one)).toEqual([{ lat: 43, lng: -70 }]);
    const three = withBeside(withBeside(one, { lat: 44, lng: -70 }), { lat: 45, lng: -70 });
    expect(besideOf(three).map(({ lat }) => lat)).toEqual([44, 45]);
    expect(besideOf('x;1;')).toEqual([]);
  });
});

describe('buildable ground without what is switched off', () => {
  it('is asked for with the rules of its template but those', () => {
    const rules = {
      ...{ name: 'solar', title: 'Solar', own: false, boundary_setback_m: 15, max_slope_percent: 10 },
      ...{ min_width_m: 20, min_piece_acres: 2 },
      exclusions: [
        { layer: 'usfws_nwi', setback_m: 30 },
        { layer: 'census_tiger:roads', setback_m: 15 },
      ],
    };
    expect(buildableBody(rules, ['usfws_nwi', 'usgs_3dep:slope_percent'])).toEqual({
      exclusions: [{ layer: 'census_tiger:roads', setback_m: 15 }],
      ...{ boundary_setback_m: 15, min_width_m: 20, min_piece_acres: 2 },
    });
    expect(buildableBody(rules, ['boundary'])).not.toHaveProperty('boundary_setback_m');
  });
});
