import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { catalog } from '../../../../datasets/catalog.ts';
import { planQuestion } from '../../../../server/ask/plan/planner.ts';
import { judged } from '../../../../server/ask/reading/judgement.ts';
import { readQuestion } from '../../../../server/ask/reading/reading.ts';

const BANGOR = {
  names: ['Maine', 'Penobscot County', 'Bangor', 'Bangor city', 'Bangor, ME'],
  point: { lat: 44.80361, lng: -68.77017 },
};
const judge = (question: string, where = BANGOR) => judged(question, readQuestion(catalog, question), where);
const kinds = (question: string) => judge(question).parts.map(({ beyond }) => beyond!.kind);
const linesOf = (url: string) =>
  readFileSync(new URL(url, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');

describe('what goes beyond one place as it is today', () => {
  it.each([
    // Sets of places.
    ...['Who is the largest landowner?', 'top 10 landowners', 'who owns the most land in Bangor'],
    'how many lots over 5 acres lie outside the flood hazard area',
    ...['Which three parcels are nearest to a substation?', 'list all parcels owned by the city'],
    ...['find me lots with more than 10 acres', 'parcels within a mile of a substation'],
    ...['how many parcels are on it', 'How many lots are here?', 'how many parcels are within 1 km'],
    ...['cuantas parcelas hay', '¿Cuántas parcelas tienen más de 5 acres?', '¿Qué condados tienen más nieve?'],
    ...['what is the average lot size in this town', 'Which towns in Maine have fiber?', 'snowfall by county'],
    'Where is the cheapest land to build a solar farm?',
    'How does the flood risk vary across the counties of the state?',
    ...['Give me the ten flattest parcels in the county.', 'List all owners with more than forty acres.'],
  ])('a set of places: %s', question => expect(kinds(question)).toEqual(['set']));

  it.each([
    ...['Make me a map of the flood zones', 'Plot elevation against distance', 'Create a heatmap of slope around here'],
    'Haz un mapa de las zonas de inundación',
  ])('a map: %s', question => expect(kinds(question)).toEqual(['map']));

  it.each([
    ...['Would you buy here?', 'would you live in this neighborhood if you were me', 'Is this a good investment?'],
    ...['Is it worth buying at this price?', 'What do you think of this lot?', '¿Vale la pena comprar esta casa?'],
    'Would you recommend this area for a family with kids?',
  ])('advice: %s', question => {
    const { rest, parts } = judge(question);
    expect(rest).toBeNull();
    expect(parts.map(({ beyond }) => beyond!.kind)).toEqual(['opinion']);
  });

  it.each([
    ...['Should I buy flood insurance here?', 'Is it a good place to dig a well?', 'Should I worry about radon?'],
    ...['Would I need an elevation certificate?', 'Do we live in a flood zone?', 'Could I move a mobile home onto it?'],
    'Is it safe to live near the dam?',
  ])('no advice, since data tells of it: %s', question => expect(kinds(question)).toEqual([]));

  it.each([
    ["What's the flood zone in Denver?", 'Denver'],
    ['whats the flood zone in denver', 'denver'],
    ['How steep is it in Hermon', 'Hermon'],
    ["What's the elevation of Mount Katahdin?", 'Mount Katahdin'],
    ['How many cows does the neighbor run on his pasture?', 'the neighbor'],
    ['Is the power cheaper than in New Hampshire?', 'New Hampshire'],
    ['For my farm in Iowa, what soil is it and does it drain well?', 'Iowa'],
    ['What is the elevation of Bangor, MI?', 'Bangor, MI'],
    ['How much snow falls in Portland, Oregon?', 'Portland, Oregon'],
    ["What is Chile's seismic hazard", 'Chile'],
    ['How deep is the water table at 43.66148, -70.25533?', '43.66148, -70.25533'],
    ["Is my neighbour's house in the flood zone?", "neighbour's house"],
    ['who owns the lot across the street', 'lot across the street'],
    ['What are the neighbors zoned?', 'the neighbors'],
    ['Who lives next door?', 'next door'],
    ["What's across the property line?", 'across the property line'],
    ['¿Cuál es la elevación en Denver?', 'Denver'],
    ['¿Está inundable la casa de mi vecino?', 'casa de mi vecino'],
  ])('another place: %s', (question, named) => {
    const { rest, parts } = judge(question);
    expect(rest).toBeNull();
    expect(parts.map(({ beyond }) => beyond!.kind)).toEqual(parts.map(() => 'place'));
    expect(parts[0]!.refused).toContain(`“${named}”`);
  });

  it.each([
    ...['What was the elevation in 1995?', 'did it flood in 1987', 'how was this zoned 20 years ago'],
    ...['what will it be worth in ten years', 'How many people will live here in 2040?', 'Will it flood next year?'],
    ...['¿Cuánto nevó en 1995?', '¿Cómo era hace veinte años?'],
  ])('another time: %s', question => expect(kinds(question)).toEqual(['time']));

  it.each([
    // Places that are here, or lie near.
    ...['Is it in Bangor?', 'Is it in Maine?', 'is this bangor, me?', 'the flood zone in Penobscot County, Maine'],
    ...['How far is it from the Kenduskeag Stream?', 'is it near the Penobscot River', 'how far is Interstate 95'],
    ...['Which houses are near Union Street?', 'How high is it at 44.8036, -68.7702?', 'are we in Zone AE?'],
    ...['Is it in PJM or ERCOT?', 'Is there a Mexican restaurant near?', 'is it on Penobscot Nation land'],
    // Times that reach today, and ones that a value tells of.
    ...['Has it flooded within 10 years?', 'rainfall of a 10-year storm', 'how many tornadoes since 1950'],
    ...[
      'peak ground acceleration 2 percent in 50 years',
      'disasters in the last ten years',
      'when was it sold, in 2015?',
    ],
    ...['how many very hot days by 2050', 'Is the flood map from 2013?', 'is it in the hundred year floodplain?'],
    // What the asker tells.
    ...['We moved here from Boston in 2019. Is there fiber?', 'My brother lives in Denver. How noisy is it here?'],
    ...[
      'We looked at lots of parcels. Who owns this one?',
      'I grew up in Chile and fear earthquakes. Are there faults near?',
    ],
    // Words of sets that are none.
    ...['which counties is it in', 'what are the soil properties', 'how many parking lots are nearby'],
    ...[
      'does it get lots of rain',
      'is the lot larger than 5 acres',
      'global horizontal irradiance',
      'who owns this parcel',
    ],
    ...['where can I buy groceries', 'flood map panel number please', 'give me the tax map and lot'],
    ...[
      'show me the elevation',
      'en qué condado está',
      'elevation in English units',
      'answer in Spanish: how steep is it',
    ],
  ])('is nothing in: %s', question => {
    expect(judge(question)).toMatchObject({ parts: [], caveats: [] });
  });

  it('is nothing in any question of the bench', () => {
    const asked = ['questions', 'muddled', 'sealed']
      .flatMap(name => linesOf(`../../../../bench/ask/${name}.tsv`).slice(1))
      .filter(line => line.split('\t')[1]);
    expect(asked.length).toBeGreaterThan(400);
    // One in four, but for the long run.
    const read = asked.filter((_, i) => process.env.PLAT_TEST === 'long' || i % 4 === 0);
    const refused = read.map(line => line.split('\t')[0]!).filter(question => judge(question).parts.length > 0);
    expect(refused).toEqual([]);
  });

  it('leaves what else is asked', () => {
    const { rest, parts } = judge('How far is the hospital and what is the flood zone in Denver? Who owns it?');
    expect(rest).toBe('How far is the hospital. Who owns it?');
    expect(parts.map(({ text }) => text)).toEqual(['what is the flood zone in Denver?']);
    expect(judge('What is the slope in Denver? And the elevation?').rest).toBeNull();
  });

  it.each([
    ['¿Cuál es la elevación en Denver?', /^Esto pregunta por “Denver”, y aquí se responde solo sobre el lugar dado\./],
    ['¿Cuánto nevó en 1995?', /^Esto pregunta por otro tiempo, “1995”/],
    ['¿Cuántas parcelas hay aquí?', /^Esto pregunta por muchos lugares/],
    ['Haz un mapa de las zonas de inundación', /^Esto pide un mapa/],
    ['What is the elevation in Denver?', /^This asks about “Denver”/],
  ])('is told in the language of the question: %s', (question, said) =>
    expect(judge(question).parts[0]!.refused).toMatch(said),
  );

  it.each([
    ['What is the elevation in Penobscot County, Maine?', 'What is the elevation?'],
    ['Is it in Bangor?', 'Is it in Bangor?'],
    ['How far is it from the Kenduskeag Stream?', 'How far is it from the Kenduskeag Stream?'],
  ])('leaves out where the place is, unless that is asked: %s', (question, rest) =>
    expect(judge(question).rest).toBe(rest),
  );

  it('is not guessed where the release knows no names: the answer says so', () => {
    const { rest, caveats } = judge('Is it steep in Hermon?', { ...BANGOR, names: [] });
    expect(rest).toBe('Is it steep?');
    expect(caveats).toEqual([
      'It is not known here whether the place given is in “Hermon”; the answer is about the place given.',
    ]);
  });
});

it('looks up nothing for any task of GeoBenchX', () => {
  const tasks = linesOf('./geobenchx.txt').filter(line => !line.startsWith('#'));
  expect(tasks).toHaveLength(202);
  const planned = tasks.filter(task => {
    const { rest } = judge(task);
    return rest !== null && planQuestion(catalog, rest).fields.length > 0;
  });
  expect(planned).toEqual([]);
});
