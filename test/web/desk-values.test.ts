import { describe, expect, it, vi } from 'vitest';
import { SITING_TEMPLATES } from '../../datasets/siting-templates.ts';
import { hasWords, TEMPLATES } from '../../web/parcel/exclusion-words.ts';
import { collected } from '../../web/search/export-file.ts';
import { measureBody, readMeasure } from '../../web/search/measure.ts';
import { nearOf, readNear } from '../../web/search/near.ts';
import { classOf, quantileClasses } from '../../web/search/quantiles.ts';
import { columnsOf, orderOf, rankRequest, weightsOf, weightsText } from '../../web/search/ranking.ts';
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
