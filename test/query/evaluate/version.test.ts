import { describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { layersRead, versionOf } from '../../../query/evaluate/version.ts';
import type { Release } from '../../../query/release/open-release.ts';

/** A release in which every layer has the version that a test gives it. */
const release = (versions: Readonly<Record<string, string>>): Release =>
  ({
    id: 'r',
    home: '',
    manifest: { asOf: '2026-01-01' } as never,
    pathOf: () => '',
    layer: (dataset, layer) => {
      const version = versions[`${dataset}:${layer}`];
      return version === undefined ? null : { version, columns: [], partitions: [] };
    },
  }) as Partial<Release> as Release;

describe('the version of a field', () => {
  it('follows the layers of its inputs, keys, coverage and parcel', () => {
    expect(layersRead(catalog, 'slope_mean_500m_degrees')).toEqual(['usgs_3dep:main']);
    expect(layersRead(catalog, 'developed_fraction_change_since_2001_1km')).toEqual([
      'mrlc_nlcd:land_cover',
      'mrlc_nlcd:land_cover_2001',
    ]);
    expect(layersRead(catalog, 'historic_days_above_95f')).toEqual(['census_tiger:county', 'noaa_cmra:main']);
  });

  it('names the stored layer of a computed one', () => {
    const layers = layersRead(catalog, 'developable_acres_proxy');
    expect(layers).toContain('usgs_3dep:main');
    expect(layers).toContain('parcel_store:main');
    expect(layers.filter(layer => layer.endsWith(':slope_percent'))).toEqual([]);
  });

  it('changes exactly when one of them does', () => {
    const version = (versions: Record<string, string>) =>
      versionOf(catalog, release(versions), 'developable_acres_proxy');
    const before = version({ 'usgs_3dep:main': 'a', 'koppen:main': 'a' });
    expect(version({ 'usgs_3dep:main': 'a', 'koppen:main': 'b' })).toBe(before);
    expect(version({ 'usgs_3dep:main': 'b', 'koppen:main': 'a' })).not.toBe(before);
    expect(() => versionOf(catalog, null, 'no_field')).toThrow(RangeError);
  });
});
