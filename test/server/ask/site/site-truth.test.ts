import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../../datasets/catalog.ts';
import { createEngine } from '../../../../query/engine/engine.ts';
import type { Engine } from '../../../../query/engine/engine-interface.ts';
import { readArea } from '../../../../query/search/page/geojson.ts';
import { unsupportedIn } from '../../../../server/ask/check/check.ts';
import { siteTask } from '../../../../server/ask/site/site-task.ts';
import { remarksOn } from '../../../../server/ask/write/remarks.ts';
import { writtenFrom } from '../../../../server/ask/write/writer.ts';
import { type Dossier, screen } from '../../../../server/sites/dossier.ts';
import { syntheticHome } from '../../../synthetic-home.ts';

/** Half the side of the site, degrees of latitude. */
const HALF = 0.012;
const CENTER = { lng: -70.71829, lat: 43.12494 };

let engine: Engine;
let dossier: Dossier;
let text: string;

beforeAll(async () => {
  engine = await createEngine({ home: (await syntheticHome()).home, workers: 1, queue: 100, memoryMb: 256 });
  const wide = HALF / Math.cos((CENTER.lat * Math.PI) / 180);
  const [west, south] = [CENTER.lng - wide, CENTER.lat - HALF];
  const [east, north] = [CENTER.lng + wide, CENTER.lat + HALF];
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  const area = () => {
    const read = readArea({ type: 'Polygon', coordinates: [ring] }, 'site', Infinity);
    if ('description' in read) throw new Error(read.description);
    return read;
  };
  const reading = await engine.readSite(
    { geometry: area(), path: 'site', maxAcres: 1e6 },
    { deadline: Date.now() + 60_000 },
  );
  if (!('acres' in reading)) throw new Error('The site cannot be read');
  const services = { engine, catalog, clock: { now: () => Date.now() } };
  dossier = await screen(services, area(), reading, new AbortController().signal);
  text = JSON.stringify(dossier);
}, 120_000);
afterAll(() => engine?.close());

/** The supported sentences of an answer, and what is remarked. */
function answerOf(question: string) {
  const task = siteTask(catalog, question, text);
  const sentences = writtenFrom(catalog, task);
  for (const sentence of sentences) expect(unsupportedIn(sentence, task.evidence, catalog), sentence.text).toBeNull();
  return { task, said: sentences.map(sentence => sentence.text), remarks: remarksOn(task) };
}

/** A number in hundredths, as sentences write areas. */
const written = (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: 2 });

/** Whether a sentence says a number: an area in hundredths, others with two digits or more, lengths over a kilometer in kilometers. */
function tells(sentence: string, value: number, kind: string): boolean {
  if (kind === 'acres' || kind === 'largest') return sentence.includes(`${written(value)} acres`);
  const told = [...sentence.matchAll(/\d[\d,]*(?:\.\d+)?/g)].map(([number]) => Number(number.replaceAll(',', '')));
  const wanted = kind === 'boundary' && value >= 1000 ? value / 1000 : value;
  return told.some(
    number => number === wanted || number === Math.round(wanted) || number === Number(wanted.toPrecision(2)),
  );
}

interface Truth {
  readonly acres: number;
  readonly share: number;
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  readonly count: number;
  readonly value: number;
  readonly metres: number;
  readonly shares: readonly { readonly value: number; readonly share: number; readonly acres: number }[];
}
/** What a kind of statistics says of a field, from the dossier. */
const TRUTH = {
  acres: ({ acres }: Truth) => acres,
  share: ({ share }: Truth) => Number((share * 100).toFixed(2)),
  min: ({ min }: Truth) => min,
  max: ({ max }: Truth) => max,
  mean: ({ mean }: Truth) => mean,
  count: ({ count }: Truth) => count,
  sum: ({ value }: Truth) => value,
  boundary: ({ metres }: Truth) => metres,
  /** Acres of the class with most ground. */
  largest: ({ shares }: Truth) => shares.toSorted((a, b) => b.share - a.share)[0]!.acres,
  /** The least of numbers that parts of the ground have. */
  least: ({ shares }: Truth) => Math.min(...shares.map(({ value }) => value)),
} as const;
const truthOf = (kind: keyof typeof TRUTH, field: string) =>
  TRUTH[kind](dossier.records[field]!.area!.statistics as unknown as Truth);

describe('an answer about a site', () => {
  it.each<[question: string, kind: keyof typeof TRUTH, field: string]>([
    ['How many acres are wetland?', 'acres', 'within_nwi_wetland'],
    ['How many acres of the site are wetlands?', 'acres', 'within_nwi_wetland'],
    ['what percentage of the property is wetland', 'share', 'within_nwi_wetland'],
    ['What share of the land is forest?', 'share', 'land_cover_forest_fraction_1km'],
    ['How much of the area is forested, in acres?', 'acres', 'land_cover_forest_fraction_1km'],
    ['How much of the land is cropland?', 'share', 'land_cover_cropland_fraction_1km'],
    ['How much open water is there on the site?', 'acres', 'land_cover_water_fraction_1km'],
    ['How much of the site is developed?', 'share', 'land_cover_developed_fraction_1km'],
    ['What percent of the site is in the floodplain?', 'share', 'within_floodplain_polygon'],
    ['Is any of the site in a floodway?', 'share', 'within_regulatory_floodway'],
    ['How much of the land is protected?', 'acres', 'within_protected_area'],
    ['What fraction is under a conservation easement?', 'share', 'within_conservation_easement'],
    ['How many acres are federal land?', 'acres', 'within_federal_land'],
    ['How much critical habitat is on the site?', 'acres', 'within_critical_habitat'],
    ['What is the highest elevation on the site?', 'max', 'elevation'],
    ['What is the lowest point of the property?', 'min', 'elevation'],
    ['How high does the land get at its highest point?', 'max', 'elevation'],
    ['What is the average elevation?', 'mean', 'elevation'],
    ["What's the average slope across the site?", 'mean', 'slope_degrees or slope_percent'],
    ['How steep is the steepest part of this land?', 'max', 'slope_degrees'],
    ['What is the minimum slope in degrees?', 'min', 'slope_degrees'],
    ['How steep is it in percent?', 'mean', 'slope_percent'],
    ['What is the average tree canopy?', 'mean', 'tree_canopy_percent'],
    ['What is the mean impervious cover?', 'mean', 'impervious_percent'],
    ['What is the average wind speed at 100 m?', 'mean', 'wind_speed_100m_m_per_s'],
    ['What is the highest landslide susceptibility?', 'max', 'landslide_susceptibility_index'],
    ['What is the shallowest depth to bedrock?', 'least', 'soil_depth_to_bedrock_cm'],
    ['Which land cover has most of the area?', 'largest', 'land_cover_class'],
    ['What are the flood zones?', 'largest', 'fema_flood_zone'],
    ['Which soils are on the site?', 'largest', 'soil_map_unit_name'],
    ['How many buildings are on the site?', 'count', 'building_count_within_1km'],
    ['How many transit stops are on it?', 'count', 'transit_stop_count_within_800m'],
    ['How many people live on the site?', 'sum', 'population_within_5km'],
    ['How far is the nearest hospital from the site?', 'boundary', 'nearest_hospital_distance_m'],
    ['How far is the coast from the land?', 'boundary', 'coast_distance_m'],
    ['¿Cuántos acres son humedales?', 'acres', 'within_nwi_wetland'],
    ['¿Qué porcentaje del sitio es bosque?', 'share', 'land_cover_forest_fraction_1km'],
    ['¿Cuál es la elevación máxima del sitio?', 'max', 'elevation'],
    ['¿Cuál es el punto más bajo del terreno?', 'min', 'elevation'],
    ['¿Cuál es la pendiente media del terreno?', 'mean', 'slope_degrees or slope_percent'],
    ['¿Cuántos acres del terreno están en zona de inundación?', 'acres', 'within_floodplain_polygon'],
    ['¿A qué distancia queda el hospital más cercano del sitio?', 'boundary', 'nearest_hospital_distance_m'],
  ])('%s: the %s of %s', (question, kind, field) => {
    const { task, said, remarks } = answerOf(question);
    expect(task.evidence.some(one => one.over !== undefined)).toBe(true);
    // Either unit is right where the question names none.
    const values = field.split(' or ').map(name => truthOf(kind, name));
    // The first sentence answers, and what the interior point says comes after it.
    expect(said[0]).toSatisfy((text: string) => values.some(value => tells(text, value, kind)));
    expect(said[0]).not.toContain('interior point');
    expect(remarks).toEqual([]);
  });

  it.each([
    ['How big is the site?'],
    ['How many acres is it?'],
    ['What is the total acreage of the land?'],
    ['¿Qué tamaño tiene el sitio?'],
  ])('%s: its own size', question => {
    const { task, said } = answerOf(question);
    expect(task.plan.fields).toEqual(['site_acres']);
    expect(said[0]).toContain(written(dossier.acres));
  });

  const parcels = () => dossier.parcels.parcels;
  const byAcres = () => parcels().toSorted((a, b) => b.acres - a.acres);
  it.each<[string, () => string]>([
    ['How many parcels make up the site?', () => `There are ${dossier.parcels.count} parcels with ground on the site`],
    ['¿Cuántas parcelas hay?', () => `es ${dossier.parcels.count}`],
    ['What is the largest parcel?', () => byAcres()[0]!.apn!],
    ['What is the smallest parcel on the site?', () => written(byAcres().at(-1)!.acres)],
    [
      'What is the average parcel size?',
      () => written(parcels().reduce((sum, { acres }) => sum + acres, 0) / parcels().length),
    ],
    [
      'How many parcels are larger than 100 acres?',
      () => `${parcels().filter(({ acres }) => acres > 100).length} have more than 100 acres`,
    ],
    ['List the APNs', () => parcels()[0]!.apn!],
    ['What is the address of the site?', () => parcels()[0]!.address!],
  ])('%s: from the list of its parcels', (question, truth) => {
    const { task, said } = answerOf(question);
    expect(task.plan.fields).toEqual(['site_parcels']);
    expect(said.slice(0, 2).join(' ')).toContain(truth());
  });

  it('tells two questions apart, and the ground from the parcel at one point', () => {
    const { task, said } = answerOf('How big is the site and how many acres are wetland?');
    expect(task.plan.parts.map(({ fields }) => fields[0])).toEqual(['site_acres', 'within_nwi_wetland']);
    expect(said.join(' ')).toContain(written(truthOf('acres', 'within_nwi_wetland')));
    expect(answerOf('Who owns the land?').said[0]).toMatch(/interior point, which is on one of its parcels/);
  });
});
