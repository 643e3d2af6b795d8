import { describe, expect, it } from 'vitest';
import { catalog } from '../../../../datasets/catalog.ts';
import { planQuestion } from '../../../../server/ask/plan/planner.ts';

const fieldsOf = (question: string): readonly string[] => planQuestion(catalog, question).fields;

describe('questions of strangers', () => {
  it.each([
    // Slang names things as well as the catalog does.
    ['Is the poop plant near this rental?', ['nearest_wastewater_plant_distance_m']],
    ['How much of the white stuff falls in a year?', ['annual_snowfall_cm']],
    ['Could a giant wave get us?', ['nri_tsunami_risk_score']],
    // The words of what is meant stand in two clauses.
    [
      'There is a big earth bank along the river behind us, are we only dry because of it?',
      ['within_levee_protected_area'],
    ],
    // What was told before names nothing: how high asks of the place.
    ['My ears are sore from driving up. How high is it?', ['elevation']],
    ['Endangered species habitat here, and which ones?', ['within_critical_habitat']],
    ["Who sends the water bill here and what's the id?", ['public_water_system_id']],
    // An object with words behind it is still one.
    [
      '{"task":"screen","need":["market operator","balancing area"]} for this parcel',
      ['iso_rto', 'balancing_authority'],
    ],
    // What is asked of each of some things is asked of all of them.
    ["I'm afraid of tornadoes and hail, how risky is each here?", ['nri_tornado_risk_score', 'nri_hail_risk_score']],
    [
      'We care about drought and wildfire, what is the expected loss for each?',
      ['nri_drought_eal_usd', 'nri_wildfire_eal_usd'],
    ],
    // A loss or a score goes with the next thing.
    ['What is the annual loss for hail and for lightning?', ['nri_hail_eal_usd', 'nri_lightning_eal_usd']],
    [
      'Give me the hail, tornado and lightning scores',
      ['nri_hail_risk_score', 'nri_tornado_risk_score', 'nri_lightning_risk_score'],
    ],
    // What somebody says of the place is asked about.
    ['My uncle says it is in a flood zone. Is that right?', ['fema_flood_zone']],
    // What stands beside the matter kills no field.
    ['Is there a pharmacy for my grandpa?', ['nearest_pharmacy_distance_m']],
    ['Which county do the newlyweds go to?', ['county_name']],
    // The name of a thing whose distance another part asks for.
    ['Guests arrive by plane. How far is the airport, and which airport is it?', ['nearest_airport_name']],
    ['If it burned how long would the flames be?', ['wildfire_conditional_flame_length_m']],
    ['When winter comes how cold do the nights get?', ['winter_mean_min_temperature_c']],
    ['What lake is that and how far is it?', ['nearest_waterbody_name', 'nearest_waterbody_distance_m']],
    ['How far is the nearest power plant and what does it burn?', ['nearest_power_plant_technology']],
    ['Any antennas around, or a military base?', ['nearest_antenna_structure_distance_m']],
    ['How many disasters were there in ten years?', ['disaster_declaration_count_county_10yr']],
    ['How large does hail get?', ['hail_max_size_in_within_40km']],
    ['Was it sold for $1 in 2024?', ['parcel_last_sale_price_usd']],
    // Somebody asks behind what the asker tells.
    ['We want a pool, and the contractor asked how steep the yard is.', ['slope_percent']],
    ['My dad wants to know whether the well would be deep', ['nearest_groundwater_well_depth_to_water_m']],
    ['The inspector asked what flood zone it is', ['fema_flood_zone']],
    // Of what was asked before, the one that has a name and a distance.
    [
      'Would an airport bother us with noise? Which one is it and how far?',
      ['nearest_airport_name', 'nearest_airport_distance_m'],
    ],
    // What no field tells kills nothing that is asked beside it.
    ['Should I worry about termites or radon?', ['radon_zone']],
    ['Are there radon and termites here?', ['radon_zone']],
    ['Who supplies power here and what do they charge?', ['electricity_rate_residential_usd_per_kwh']],
    ['How old is the flood map?', ['flood_map_effective_date']],
    // What leaves a question open is told with what closes it, and a number calls its field.
    ['Which way does the hillside face?', ['aspect_cardinal', 'aspect_degrees']],
    ['What did it sell for?', ['parcel_last_sale_price_usd', 'parcel_last_sale_date']],
    ['Is the breeze strong enough at 100 meters for turbines?', ['wind_speed_100m_m_per_s']],
    ['Give me the distance of the coast and the port', ['coast_distance_m', 'nearest_port_distance_m']],
  ])('are planned: %s', (question, wanted) => {
    expect(fieldsOf(question)).toEqual(expect.arrayContaining(wanted));
  });

  it.each([
    // One peril needs a word for it, a loss one for money; any lake is no Great one; large is no voltage.
    ['How risky is hail?', /_eal_usd$|tornado/],
    ['What is the expected yearly loss from all hazards?', /^nri_(?!expected).*_eal_usd$/],
    ['How far is the nearest lake?', /great_lakes/],
    ['Is there a large substation nearby?', /230kv/],
    ['What hazards are here but not wildfire?', /wildfire/],
    ['Which state law applies?', /./],
    // Taxes are none of a tax credit's area, and the age of a house no distance to an old one.
    ['What would my property taxes be?', /./],
    ['How old is the building?', /./],
    ['Is there a hydrant close by?', /./],
    // The house is not its lot, its policy not who owns houses, and who lives in a town does not make it safe.
    ['How many square feet is the house?', /parcel_area/],
    ['What size is the home?', /parcel_area|hail/],
    ['How much is homeowners insurance here?', /./],
    ['Is the neighborhood safe?', /./],
    ['Is the power grid here reliable?', /co2/],
    // The speed of cars is no wind.
    ['What is the speed limit on this street?', /./],
    ['What day does the garbage truck come?', /./],
    ['Is the fishing any good in the stream?', /./],
    ['Are the neighbors quiet people?', /./],
    ['How many cattle can I run to the acre?', /./],
    // A thing that a field has, before another that it has not, and a field of the place beside things that it has not.
    ['How many of them were for the school bond?', /./],
    ['Is there a waiting list for swim lessons at the Y?', /./],
    ['Are there a lot of feral cats in this neighborhood?', /./],
    // A price, a time of day, a quality, and what people do or are.
    ['How much does a building permit cost?', /permits/],
    ['What time does the bus come in the morning?', /timezone/],
    ['How good is the nearest hospital?', /hospital/],
    ['Would the seller come down if we offered more?', /./],
    ['How friendly are the neighbors?', /./],
    // What is asked of a thing that nothing tells of is not asked of the parcel.
    ['What brand is the furnace and when was it last serviced?', /./],
  ])('are not planned with another matter: %s', (question, unwanted) => {
    expect(fieldsOf(question).filter(name => unwanted.test(name))).toEqual([]);
  });

  it('lose only what they refuse of all hazards', () => {
    const all = fieldsOf('hazards');
    expect(fieldsOf('hazards except hail')).toEqual(
      expect.arrayContaining(all.filter(name => !name.includes('hail')).slice(0, 14)),
    );
    expect(fieldsOf('hazards except hail').filter(name => name.includes('hail'))).toEqual([]);
  });

  it('ask the date of a map of the field that has it, and all that they ask of the data', () => {
    const [part] = planQuestion(catalog, 'From which year is the flood map, and how sure are you?').parts;
    expect(part).toMatchObject({ fields: ['flood_map_effective_date'], ofSource: ['confidence'] });
    expect(
      planQuestion(catalog, 'What is the elevation, how old is that data and how sure is it?').parts[0],
    ).toMatchObject({
      fields: ['elevation'],
      ofSource: ['vintage', 'confidence'],
    });
  });
});
