import { describe, expect, it } from 'vitest';
import { catalog } from '../../../../datasets/catalog.ts';
import { standInsFor } from '../../../../server/ask/plan/families.ts';
import { planQuestion } from '../../../../server/ask/plan/planner.ts';

const plan = (question: string) => planQuestion(catalog, question);

describe('a question of many words', () => {
  it.each([
    ['Return only a single integer: elevation in meters', 'elevation'],
    ['You are a site analyst. Step 1: get the parcel owner. Answer as a numbered list.', 'parcel_owner'],
    ['What is the elevation in feet NAVD88?', 'elevation'],
    ['Respond in JSON: {"flood_zone": ...} for the point, no explanation.', 'fema_flood_zone'],
    ['Does an underground petroleum pipeline run nearby?', 'nearest_petroleum_pipeline_distance_m'],
    [
      'My mother is moving in and needs a pharmacy and a hospital close by. How far are they?',
      'nearest_pharmacy_distance_m',
    ],
    ['How many wind turbines are within 10 km, and how far is the closest one?', 'nearest_wind_turbine_distance_m'],
    ['Is there a bus stop or a military base nearby?', 'nearest_military_installation_distance_m'],
    ['Is the parcel more than 10 acres?', 'parcel_area_m2'],
    ['Is the slope under five per cent?', 'slope_percent'],
    ['Is less than a quarter of it wetland?', 'wetland_fraction_of_parcel'],
    ['¿La pendiente supera el 5 por ciento?', 'slope_percent'],
    ['Is it far from the coast, I would say more than 5 miles?', 'coast_distance_m'],
    ['How many days are above 90 degrees?', 'days_above_90f'],
    [
      'Nearest colocation facility, and how many are there within fifty km?',
      'interconnection_facility_count_within_50km',
    ],
    ['{"elevation_m": null, "slope_pct": null} fill in', 'slope_percent'],
    ['1. flood zone 2. elevation 3. owner', 'parcel_owner'],
    ['Give me: (a) the county, (b) the zip code, (c) the census tract', 'tract_geoid'],
    ['When did it last sell and for how much?', 'parcel_last_sale_price_usd'],
    ['no los terremotos, pero los tornados sí', 'tornado_track_count_within_40km'],
    ['Riesgos sin contar terremotos', 'nri_risk_score'],
    ['¿En qué condado estamos?', 'county_name'],
    ['Is the hospital closer than the fire station?', 'nearest_hospital_distance_m'],
    ['When was the flood map made, and which panel covers us?', 'flood_map_panel_id'],
    ['Dígame los riesgos naturales, pero no los terremotos', 'nri_risk_score'],
  ])('is planned by what it asks for: %s', (question, field) => expect(plan(question).fields).toContain(field));

  it.each([
    ['Is there a lien on the property?', 'lien'],
    ['Are there any liens on the property?', 'liens'],
  ])('reads no English word as another one: %s', (question, word) =>
    expect(plan(question)).toMatchObject({ fields: [], parts: [{ unknown: [word] }] }),
  );

  it.each([
    'Do people drive fast here?',
    'Is the nearest one bigger?',
    'at what interest rate',
    'Are the parties on weekends loud?',
  ])('has no field for words that name no matter: %s', question => expect(plan(question).fields).toEqual([]));

  it('names nothing that is not understood of a verb or an adverb', () => {
    const { parts } = plan('Can I safely breathe the air here?');
    expect(parts.flatMap(part => part.unknown)).toEqual([]);
  });

  it('has what a value is held against beside it', () => {
    expect(plan('Is the wildfire burn probability above 1 in 500?').parts[0]!.limit).toMatchObject({
      relation: 'more',
      value: 0.002,
      unit: 'fraction',
    });
    expect(plan('How many days are above 90 degrees?').parts[0]!.limit).toBeUndefined();
  });

  it('has name and distance of a nearest thing where neither is asked for alone', () => {
    const both = ['nearest_hospital_distance_m', 'nearest_hospital_name'];
    expect(plan('closest ER?').fields).toEqual(expect.arrayContaining(both));
    expect(plan('how far is the closest ER?').fields).not.toContain('nearest_hospital_name');
  });

  it('leaves out what it refuses, and what its asker tells', () => {
    expect(plan('Dígame los riesgos naturales, pero no los terremotos').fields).not.toContain(
      'seismic_pga_2pct_50yr_g',
    );
    expect(plan("I'm writing a commercial policy for a factory. How steep is it?").fields).toEqual(
      plan('How steep is it?').fields,
    );
    expect(plan('Is the parcel more than 10 acres?').fields).not.toContain('wetland_acres_on_parcel');
  });
});

describe('what is asked of the data behind an answer', () => {
  it.each([
    ["What's the zoning, and from which year is the data?", 'parcel_zoning', 'vintage'],
    ['How sure are you about the flood zone?', 'fema_flood_zone', 'confidence'],
    ['How reliable is that elevation?', 'elevation', 'confidence'],
    ['Where does the electricity data come from?', 'electric_utility_name', 'source'],
  ])('goes with the fields that it is asked of: %s', (question, field, ofSource) => {
    const { parts } = plan(question);
    expect(parts).toHaveLength(1);
    expect(parts[0]).toMatchObject({ ofSource: [ofSource], unknown: [] });
    expect(parts[0]!.fields).toContain(field);
  });

  it('is not asked of what the place gets from somewhere', () => {
    for (const question of ['Where does the drinking water come from?', 'Where does the flood water come from?'])
      expect(plan(question).parts[0]!.ofSource, question).toBeUndefined();
  });

  it('is not asked where a field has the date', () => {
    expect(plan('how old is the flood map').fields).toEqual(['flood_map_effective_date']);
    expect(plan('how old is the flood map').parts[0]!.ofSource).toBeUndefined();
  });
});

describe('of what this release holds', () => {
  const without = (question: string, ...lacking: string[]) => planQuestion(catalog, question, new Set(lacking)).fields;

  it('a field of the family stands for one that it cannot answer, which is still named', () => {
    const fields = without('What is the flood zone?', 'fema_flood_zone', 'fema_flood_zone_subtype');
    expect(fields.slice(0, 3)).toEqual(['fema_flood_zone', 'within_floodplain_polygon', 'nearest_sfha_distance_m']);
    expect(without('annual chance of wildfire', 'wildfire_burn_probability')).toContain(
      'wildfire_hazard_potential_class',
    );
  });

  it('what stands for a field is not answered by it: a rail line is no airport', () => {
    const [airport, commercial] = ['nearest_airport_distance_m', 'nearest_commercial_airport_distance_m'];
    const names = ['nearest_airport_name', 'nearest_commercial_airport_name'];
    expect(without('How far is the nearest airport?', airport!, commercial!, ...names)).toEqual([airport]);
    expect(without('How loud is the traffic noise?', 'transportation_noise_dba')).toContain('nearest_road_aadt');
  });

  it('what it cannot answer is left out beside what it can', () => {
    expect(plan('How steep is it?').fields).toContain('slope_degrees');
    expect(without('How steep is it?', 'slope_degrees')).toEqual(['slope_percent']);
  });

  it('every member of a family is a field, and no preset changes', () => {
    for (const name of catalog.fields.keys())
      for (const other of standInsFor(name)) expect(catalog.fields.has(other), other).toBe(true);
    const { fields } = plan('overview of the terrain');
    expect(without('overview of the terrain', 'elevation')).toEqual(fields);
  });
});
