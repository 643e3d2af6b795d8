import type { Dossier } from '../../sites/dossier.ts';
import type { AskRecord, Evidence } from '../backend.ts';
import { folded } from '../retrieval/words.ts';
import { capital, quoted, withCommas } from '../write/phrase.ts';
import { acresSaid } from './area-sentences.ts';
import { siteClauseOf } from './clause.ts';

/** Parcels that are named in an answer, those with most ground on the site first. */
const NAMED = 5;

const SIZE =
  /\b(?:how (?:big|large)|size|acres?|acreage|area|hectares?|square (?:feet|miles|meters)|hectareas?|tamano|mide|grande|superficie)\b/;
const PARCELS =
  /\b(?:parcels?|lots?|apns?|parcelas?|lotes?)\b|^(?!.*\b(?:nearest|closest)\b).*\b(?:address|direccion)(?:es)?\b/;
/** Words that ask for what is known of the parcels of a site. */
const OF_PARCELS =
  /\b(?:parcels?|lots?|apns?|parcelas?|lotes?|numbers?|address(?:es)?|direccion(?:es)?|list|name|tax|up|which|together|cover|hay|hold|than|over|under|above|below)\b|[\d.,]+/g;
const LIMIT =
  /\b(?:(?<more>(?:more|larger|bigger|greater) than|over|above|at least|mas de)|(?:less|smaller|fewer) than|under|below|at most|menos de)\s+(?<number>[\d,]+(?:\.\d+)?)/;

/** Fields of a parcel that the list of a site's parcels has of each of them. */
export const LISTED_OF_PARCELS: ReadonlySet<string> = new Set(['parcel_apn', 'parcel_address', 'parcel_area_m2']);

const recordOf = (dossier: Dossier, record: Partial<AskRecord>): AskRecord => ({
  value: null,
  unit: null,
  source: 'registered_site',
  source_url: null,
  confidence: 'high',
  fetched_at: dossier.built_at,
  dataset_vintage: dossier.release,
  notes: null,
  status: 'ok',
  ...record,
});

type ListedParcel = Dossier['parcels']['parcels'][number];

const nameOf = ({ apn, address }: ListedParcel): string =>
  [apn && quoted(apn), address && `at ${quoted(address)}`].filter(Boolean).join(' ') || 'one without a number';

const acres = (value: number): string => `${withCommas(Number(value.toFixed(2)))} acres`;

/** What a clause asks of the parcels of a site beside their number. */
function parcelSentences(clause: string, { parcels, count, acres_on_site }: Dossier['parcels']): string[] {
  const [first] = parcels;
  if (!first) return [];
  const among =
    parcels.length < (count ?? 0) ? `Of the ${withCommas(parcels.length)} with most ground on the site, ` : '';
  const beginning = (text: string) => (among === '' ? text[0]!.toUpperCase() + text.slice(1) : `${among}${text}`);
  const limit = LIMIT.exec(clause)?.groups;
  if (limit) {
    const number = Number(limit.number!.replaceAll(',', ''));
    const isMore = limit.more !== undefined;
    const fitting = parcels.filter(parcel => (isMore ? parcel.acres > number : parcel.acres < number));
    return [
      `${among || 'Of them, '}${withCommas(fitting.length)} have ${isMore ? 'more' : 'less'} than ${acres(number)} in all.`,
    ];
  }
  const { statistic } = siteClauseOf(clause);
  if (statistic === 'least' || statistic === 'most') {
    const size = (parcel: ListedParcel) => (statistic === 'most' ? parcel.acres : -parcel.acres);
    const extreme = parcels.reduce((best, parcel) => (size(parcel) > size(best) ? parcel : best), first);
    const word = statistic === 'most' ? 'largest' : 'smallest';
    return [
      beginning(
        `the ${word} is ${nameOf(extreme)}: ${acres(extreme.acres)} in all, ${acres(extreme.acres_on_site)} on the site.`,
      ),
    ];
  }
  if (statistic === 'mean') {
    const mean = (of: (parcel: ListedParcel) => number) =>
      acres(parcels.reduce((sum, parcel) => sum + of(parcel), 0) / parcels.length);
    return [beginning(`they have ${mean(p => p.acres)} in all on average, ${mean(p => p.acres_on_site)} on the site.`)];
  }
  const named = parcels.slice(0, NAMED).map(parcel => `${nameOf(parcel)}: ${acres(parcel.acres_on_site)} on the site`);
  return [
    `Together they cover ${acres(acres_on_site ?? 0)} of it; those with most ground on it are ${named.join('; ')}.`,
  ];
}

/** The same in Spanish. */
function parcelSentencesInSpanish(clause: string, { parcels, count, acres_on_site }: Dossier['parcels']): string[] {
  const [first] = parcels;
  if (!first) return [];
  const among =
    parcels.length < (count ?? 0) ? `De las ${withCommas(parcels.length)} con más terreno en el sitio, ` : '';
  const called = ({ apn, address }: ListedParcel) =>
    [apn && quoted(apn), address && `en ${quoted(address)}`].filter(Boolean).join(' ') || 'una sin número';
  const limit = LIMIT.exec(clause)?.groups;
  if (limit) {
    const number = Number(limit.number!.replaceAll(',', ''));
    const isMore = limit.more !== undefined;
    const fitting = parcels.filter(parcel => (isMore ? parcel.acres > number : parcel.acres < number));
    return [
      `${among || 'De ellas, '}${withCommas(fitting.length)} tienen ${isMore ? 'más' : 'menos'} de ${acres(number)} en total.`,
    ];
  }
  const { statistic } = siteClauseOf(clause);
  if (statistic === 'least' || statistic === 'most') {
    const size = (parcel: ListedParcel) => (statistic === 'most' ? parcel.acres : -parcel.acres);
    const extreme = parcels.reduce((best, parcel) => (size(parcel) > size(best) ? parcel : best), first);
    return [
      capital(
        `${among}la ${statistic === 'most' ? 'mayor' : 'menor'} es ${called(extreme)}: ${acres(extreme.acres)} en total, ${acres(extreme.acres_on_site)} en el sitio.`,
      ),
    ];
  }
  const named = parcels.slice(0, NAMED).map(parcel => `${called(parcel)}: ${acres(parcel.acres_on_site)} en el sitio`);
  return [`Juntas cubren ${acres(acres_on_site ?? 0)} del sitio; las que más tienen en él son ${named.join('; ')}.`];
}

/** The number of parcels of a site, and what a clause asks of them. @param spanish whether it is told in Spanish. */
export function parcelsOf(dossier: Dossier, clause: string, spanish: boolean): Evidence {
  const { status, count, source, dataset_vintage, notes } = dossier.parcels;
  return {
    field: 'site_parcels',
    title: 'Number of parcels with ground on the site',
    description: 'Parcels that have ground on the site.',
    hint: 'Parcels may lie over one another.',
    area:
      status === 'ok' && count
        ? (spanish ? parcelSentencesInSpanish : parcelSentences)(folded(clause), dossier.parcels)
        : [],
    record: recordOf(dossier, {
      value: count,
      unit: status === 'ok' ? 'count' : null,
      source: source ?? 'parcel_store',
      dataset_vintage,
      status,
      notes: notes.join('; ') || null,
      ...(status === 'failed' ? { error: notes.join('; ') || 'the parcels could not be read', retryable: false } : {}),
    }),
  };
}

const sizeOf = (dossier: Dossier, clause: string, spanish: boolean): Evidence => ({
  field: 'site_acres',
  title: 'Area of the site',
  description: 'Area of the registered polygon.',
  hint: 'It is measured on the polygon, not on deeds.',
  area: [
    spanish ? `El sitio mide ${acres(dossier.acres)}.` : `The area of the site is ${acresSaid(dossier.acres, clause)}.`,
  ],
  record: recordOf(dossier, {}),
  over: { value: dossier.acres, unit: 'acres' },
});

/**
 * What a clause asks of the site itself rather than of a field: its size, or its parcels; null for none.
 * @param isIdle whether a text says nothing of any field. @param spanish whether it is told in Spanish.
 */
export function siteRecordOf(
  clause: string,
  dossier: Dossier,
  isIdle: (text: string) => boolean,
  spanish: boolean,
): Evidence | null {
  const { matter } = siteClauseOf(clause);
  const text = folded(clause);
  if (PARCELS.test(text) && isIdle(matter.replace(OF_PARCELS, ' '))) return parcelsOf(dossier, clause, spanish);
  return SIZE.test(text) && isIdle(matter.replace(SIZE, ' ')) ? sizeOf(dossier, clause, spanish) : null;
}
