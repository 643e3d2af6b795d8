import { describe, expect, it } from 'vitest';
import { catalog } from '../../../../datasets/catalog.ts';
import { planQuestion } from '../../../../server/ask/plan/planner.ts';

const plan = (question: string) => planQuestion(catalog, question);

describe('a plan of clauses that lean on one another', () => {
  it.each([
    ['how far is the nearest power line, and who owns it', 'nearest_transmission_line_owner'],
    ['how far is the closest substation, who runs it and what voltage is it', 'nearest_substation_operator'],
    ['Is the nearest power plant nuclear, and how large is it?', 'nearest_power_plant_capacity_mw'],
    ['Has a fire come through before, and when was the last one?', 'nearest_wildfire_year'],
    ['how big is the lot, and who owns it', 'parcel_owner'],
    ['How far is the nearest hospital? Who owns the parcel?', 'parcel_owner'],
    ['¿A qué distancia queda la escuela más cercana y cómo se llama?', 'nearest_public_school_name'],
  ])('has what is asked of a thing that was named before: %s', (question, name) => {
    expect(plan(question).fields).toContain(name);
  });

  it.each([
    'How much would the county tax us on the panels per megawatt?',
    'What is the pH of the soil?',
    'Are there liens on the land?',
    'Was there any burglary on the street?',
    '¿Cuánto cuesta el permiso para construir una cochera?',
  ])('has nothing for what no field tells, though fields have its words: %s', question => {
    const { fields, parts } = plan(question);
    expect(fields).toEqual([]);
    expect(parts[0]!.unknown).not.toEqual([]);
  });

  it.each([
    ['Which panel covers us?', ['flood_map_panel_id']],
    ['How tall is it?', ['building_height_m']],
    ['Has it flooded in the last ten years?', ['nfip_claim_count_tract']],
    ['Would embers reach the house?', ['wildfire_exposure_type']],
    ['How noisy is the traffic?', ['transportation_noise_dba']],
    ['My inspector mentioned radon, is that a concern?', ['radon_zone']],
    [
      '{"task":"screen","need":["distance to rail","jobs within 5 km"]}',
      ['nearest_rail_line_distance_m', 'jobs_within_5km'],
    ],
  ])('has what is meant and no more: %s', (question, names) => {
    expect([...plan(question).fields].sort()).toEqual([...names].sort());
  });
});
