import { describe, expect, it } from 'vitest';
import { catalog } from '../../../../datasets/catalog.ts';
import { rankFields } from '../../../../server/ask/retrieval/retrieval.ts';

const names = (text: string, limit = 3) => rankFields(catalog, text, limit).map(field => field.name);

describe('fields by words', () => {
  it.each([
    ['Is my house in a flood zone?', 'fema_flood_zone'],
    ['how far is it to the nearest hospital', 'nearest_hospital_distance_m'],
    ['who owns this parcel', 'parcel_owner'],
    ['How steep is it here?', 'slope_degrees'],
    ['can I put in a septic tank', 'soil_septic_limitation'],
    ['how much does it snow', 'annual_snowfall_cm'],
    ['what school district is it', 'unified_school_district_name'],
  ])('finds what %j asks for', (text, name) => {
    expect(names(text)).toContain(name);
  });

  it.each([
    ['¿Está en zona de inundación?', 'fema_flood_zone'],
    ['¿A qué distancia queda el hospital más cercano?', 'nearest_hospital_distance_m'],
    ['¿Quién es el dueño?', 'parcel_owner'],
    ['¿Qué tan lejos está la playa?', 'coast_distance_m'],
  ])('reads Spanish: %j', (text, name) => {
    expect(names(text)).toContain(name);
  });

  it.each([
    ['elevatoin above see level', 'elevation'],
    ['nearest hosptial', 'nearest_hospital_distance_m'],
    ['wetlnads nearby', 'nearest_wetland_distance_m'],
    ['earthqake risk', 'nri_earthquake_risk_score'],
    ['how fast is the internett', 'broadband_max_download_mbps'],
  ])('reads what is misspelt: %j', (text, name) => {
    expect(names(text)).toContain(name);
  });

  it('takes singular and plural, any case and accents for the same', () => {
    expect(names('Wildfires', 8)).toEqual(names('wildfire', 8));
    expect(names('ZONA DE INUNDACION', 8)).toEqual(names('zona de inundación', 8));
  });

  it('says how much of the text a field accounts for', () => {
    const [whole] = rankFields(catalog, 'radon', 1);
    expect(whole).toMatchObject({ name: 'radon_zone', coverage: 1, matched: ['radon'] });
    const [half] = rankFields(catalog, 'radon xylophone', 1);
    expect(half!.name).toBe('radon_zone');
    expect(half!.coverage).toBeGreaterThan(0.2);
    expect(half!.coverage).toBeLessThan(0.6);
  });

  it('finds nothing where there are no words of the catalog, and takes any text', () => {
    for (const text of ['', '   ', '?!', 'the of and', '🌲'.repeat(1000), 'xq'.repeat(500), '\u0000', "'"])
      expect(rankFields(catalog, text)).toEqual([]);
  });

  it('gives the same ranking for the same text, best first, at most as many as asked for', () => {
    const text = 'how much does the ground flood near the river';
    const ranked = rankFields(catalog, text, 10);
    expect(ranked).toEqual(rankFields(catalog, text, 10));
    expect(ranked).toHaveLength(10);
    expect(ranked.map(field => field.score)).toEqual(ranked.map(field => field.score).sort((a, b) => b - a));
  });
});
