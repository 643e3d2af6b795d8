import type { Dossier } from '../../sites/dossier.ts';
import type { AskRecord, Evidence } from '../backend.ts';
import { quoted } from '../write/phrase.ts';

/** Parcels that are named in an answer, those with most ground on the site first. */
const NAMED = 5;

const SIZE =
  /\b(?:how (?:big|large)|size|acres?|acreage|area|hectares?|square (?:feet|miles|meters))\b.*\b(?:site|it|this|land|polygon|property)\b|\b(?:site|it|this|land|polygon|property)\b.*\b(?:acres?|acreage|hectares?|size)\b/i;
const PARCELS = /\b(?:parcels?|lots?|apns?|parcelas?)\b/i;

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

function parcelsOf(dossier: Dossier): Evidence {
  const { status, count, parcels, source, dataset_vintage, notes, acres_on_site } = dossier.parcels;
  const named = parcels.slice(0, NAMED).map(({ apn, address, acres_on_site }) => {
    const name =
      [apn && quoted(apn), address && `at ${quoted(address)}`].filter(Boolean).join(' ') || 'one without a number';
    return `${name}: ${acres_on_site} acres on the site`;
  });
  return {
    field: 'site_parcels',
    title: 'Number of parcels with ground on the site',
    description: 'Parcels that have ground on the site.',
    hint: 'Parcels may lie over one another.',
    area:
      status === 'ok' && count
        ? [`Together they cover ${acres_on_site} acres of it; those with most ground on it are ${named.join('; ')}.`]
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

/** What a question asks of the site itself rather than of a field: its size and its parcels. */
export function siteRecords(question: string, dossier: Dossier): Evidence[] {
  const size: Evidence = {
    field: 'site_acres',
    title: 'Area of the site',
    description: 'Area of the registered polygon.',
    hint: 'It is measured on the polygon, not on deeds.',
    area: [],
    record: recordOf(dossier, { value: dossier.acres, unit: 'acres' }),
  };
  return [...(SIZE.test(question) ? [size] : []), ...(PARCELS.test(question) ? [parcelsOf(dossier)] : [])];
}
