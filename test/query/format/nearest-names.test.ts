import { describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { enrichCatalogOf } from '../../../datasets/enrich/enrich.ts';
import { nearestNames, withNearest } from '../../../query/format/name/nearest-names.ts';
import { filterNames } from '../../../query/search/request/surface.ts';

const fetchNames = [...catalog.fields.keys()];
const keys = ['lat', 'lng', 'address', 'fields', 'preset'];

describe('the nearest names', () => {
  it.each([
    ['zoning', fetchNames, 'parcel_zoning'],
    ['elevatoin', fetchNames, 'elevation'],
    ['femaFloodZone', fetchNames, 'fema_flood_zone'],
    ['zone_flood_fema', fetchNames, 'fema_flood_zone'],
    ['parcelzoning', fetchNames, 'parcel_zoning'],
    ['owner', fetchNames, 'parcel_owner'],
    ['Acreage', [...filterNames(catalog)], 'acreage'],
    ['lon', keys, 'lng'],
    ['long', keys, 'lng'],
    ['longitude', keys, 'lng'],
    ['latitude', keys, 'lat'],
    ['adress', keys, 'address'],
    ['field', keys, 'fields'],
  ])('of %s begin with the one that is meant', (wrong, names, meant) => {
    const nearest = nearestNames(wrong, names);
    expect(nearest[0]).toBe(meant);
    expect(nearest.length).toBeLessThanOrEqual(3);
  });

  it.each(['', '___', 'xyzzy', '🙂', '\u0000', '數據'])('of %j are none', wrong => {
    expect(nearestNames(wrong, fetchNames)).toEqual([]);
  });

  it('of a name with two letters in the wrong order or one missing are that name, for every name', () => {
    const names = enrichCatalogOf(catalog).names.filter(name => name.length > 5);
    const spoilt = (name: string, i: number) =>
      i % 2 ? name.slice(0, 3) + name.slice(4) : name.slice(0, 2) + name[3] + name[2] + name.slice(4);
    const missed = names.filter((name, i) => !nearestNames(spoilt(name, i), names).includes(name));
    expect(missed.length, missed.join(' ')).toBeLessThan(names.length / 50);
  });

  it('repeat nothing of a wrong name, and cut it', () => {
    const long = `zoning_${'x'.repeat(1_000_000)}`;
    expect(nearestNames(long, ['parcel_zoning', 'lat'])).toEqual(
      nearestNames(long.slice(0, 64), ['parcel_zoning', 'lat']),
    );
  });

  it('stand behind each name of a list', () => {
    expect(withNearest(['lon', 'qqq'], keys)).toBe('"lon" (nearest: `lng`), "qqq"');
  });
});
