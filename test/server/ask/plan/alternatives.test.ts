import { describe, expect, it } from 'vitest';
import { catalog } from '../../../../datasets/catalog.ts';
import { planQuestion } from '../../../../server/ask/plan/planner.ts';

const fields = (question: string) => planQuestion(catalog, question).fields;

describe('things asked for at once', () => {
  it.each([
    ['Any sinkholes or landslides around here?', 'within_karst_area', 'landslide_susceptibility_index'],
    ['Is it neither in a floodway nor in a V zone?', 'within_regulatory_floodway', 'coastal_high_hazard'],
    ['Is a hospital or a fire station nearer?', 'nearest_hospital_distance_m', 'nearest_fire_station_distance_m'],
    ['Which loss is larger here, wildfire or hail?', 'nri_wildfire_eal_usd', 'nri_hail_eal_usd'],
    ['Which is the biggest risk, tornado or hurricane?', 'nri_tornado_risk_score', 'nri_hurricane_risk_score'],
    ['the 2, 10 and 100 year 24 hour rainfall', 'rainfall_2yr_24hr_mm', 'rainfall_100yr_24hr_mm'],
    ['Is it in the 100-year or the 500-year floodplain?', 'within_floodplain_polygon', 'within_500yr_floodplain'],
  ])('are all planned: %s', (question, one, other) => {
    expect(fields(question)).toEqual(expect.arrayContaining([one, other]));
  });

  it('are one where a field is called so', () => {
    const { parts } = planQuestion(catalog, 'Do people own or rent?');
    expect(parts.map(({ fields: [first] }) => first)).toEqual(['tract_owner_occupied_pct']);
  });
});

describe('what leans on what was said before', () => {
  it.each([
    ['How rich is the neighborhood compared with the county?', 'county_median_household_income_usd'],
    ['Population of the tract and of the county', 'county_population'],
    ["There's a little brook along the back fence, what is it called?", 'nearest_flowline_name'],
    ['How many hurricanes have come by and what was the strongest?', 'hurricane_max_category_within_100km'],
    ["What's the closest supermarket called and how far do I drive?", 'nearest_grocery_store_distance_m'],
    ["My wife won't live within a mile of pylons. Do we pass?", 'nearest_transmission_line_distance_m'],
    ['We drive piles: depth to rock, shrink-swell, corrosion of steel.', 'soil_steel_corrosion_risk'],
  ])('asks of that: %s', (question, field) => {
    expect(fields(question)).toContain(field);
  });
});
