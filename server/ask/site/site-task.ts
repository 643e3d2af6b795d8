import type { Catalog } from '../../../datasets/catalog.ts';
import type { Dossier } from '../../sites/dossier.ts';
import { type AskRecord, type Evidence, MAX_PLANNED, type Part, type Task } from '../backend.ts';
import { followUps } from '../follow-ups.ts';
import { clausesOf } from '../plan/clauses.ts';
import { standInsFor } from '../plan/families.ts';
import { planQuestion } from '../plan/planner.ts';
import { judged, NAMES_AROUND, type Whereabouts } from '../reading/judgement.ts';
import { readQuestion } from '../reading/reading.ts';
import { inCatalog, wordsOf } from '../retrieval/retrieval.ts';
import { folded } from '../retrieval/words.ts';
import { unitWords } from '../units.ts';
import { isInSpanish } from '../write/language.ts';
import { withCommas } from '../write/phrase.ts';
import { areaFields } from './area-fields.ts';
import { areaSentences, meaningOver } from './area-sentences.ts';
import { areaSentencesInSpanish } from './area-spanish.ts';
import { siteClauseOf, withoutSite } from './clause.ts';
import { LISTED_OF_PARCELS, parcelsOf, siteRecordOf } from './site-records.ts';
import { type Statistic, statisticOf } from './statistic.ts';

/** A field with a name of its own for what it is the distance to. */
const nameFieldOf = (field: string): string | null =>
  field.endsWith('_distance_m') ? field.replace(/_distance_m$/, '_name') : null;

/** A record of a dossier with what its field is and means: of the whole site where that has a value, else of its interior point. */
function evidenceOf(
  catalog: Catalog,
  name: string,
  dossier: Dossier,
  question: string,
  statistic: Statistic | null,
): Evidence | null {
  const field = catalog.fields.get(name);
  const kept = dossier.records[name];
  // A field that the catalog has won since is left out.
  if (!field || !kept) return null;
  const { area, ...own } = kept;
  const record = own as AskRecord;
  const { title, description, hint } = field;
  const named = dossier.records[nameFieldOf(name) ?? '']?.value ?? null;
  const telling = { question, statistic, value: record.value, name: named };
  const spanish = isInSpanish(question);
  const said = area === null ? [] : (spanish ? areaSentencesInSpanish : areaSentences)(field, area, telling);
  const told = { field: name, title, description, hint, area: said };
  if (area?.status === 'ok' && area.statistics !== null) {
    const { source, source_url, dataset_vintage, confidence, notes } = area;
    const cited = { source, source_url, dataset_vintage, notes, confidence: confidence as AskRecord['confidence'] };
    const { error: _, retryable: __, ...found } = record;
    return {
      ...told,
      hint: meaningOver(hint, area.statistics),
      record: { ...found, ...cited, status: 'ok', value: null },
      over: statisticOf(field, area.statistics, statistic),
    };
  }
  const isOfSome = catalog.parcelRecord.has(name) && (dossier.parcels.count ?? 0) > 1;
  const [at, ofSome] = spanish
    ? ['En el punto interior del sitio', ', que está en una de sus parcelas']
    : ["At the site's interior point", ', which is on one of its parcels'];
  return { ...told, at: isOfSome ? `${at}${ofSome}` : at, record };
}

/** Where a site is: its dossier has the names of what contains its interior point. */
function whereaboutsOf({ records, analysis_point: point }: Dossier): Whereabouts {
  const names = NAMES_AROUND.flatMap(name => {
    const value = records[name]?.value;
    return typeof value === 'string' ? [value] : [];
  });
  return { names, point };
}

/**
 * The fields of a part that are told of a site: what is asked of the whole site, else those planned that tell of the whole, each
 * thing once. Only where none does are fields of its interior point told.
 */
function fieldsOf(catalog: Catalog, dossier: Dossier, part: Part): string[] {
  const { statistic, matter } = siteClauseOf(part.text);
  // What was understood of a part is not doubted for words that no field has.
  const significant = wordsOf(catalog, matter).filter(word => inCatalog(catalog, word));
  const clause = {
    statistic,
    matter: part.fields.length > 0 ? significant.map(word => word.written).join(' ') : matter,
  };
  const over = (name: string) => {
    const area = dossier.records[name]?.area;
    return area?.status === 'ok' ? area.statistics : null;
  };
  const own = part.fields.filter(name => over(name) !== null);
  const ofSite = statistic !== null || own.length === 0 ? areaFields(catalog, dossier, clause) : [];
  if (ofSite.length > 0) return ofSite;
  const planned = own.length > 0 ? own : part.fields;
  const said = (name: string) => (over(name) === null ? name : JSON.stringify(over(name)));
  const isInUnit = (name: string) => folded(part.text).includes(unitWords(catalog.fields.get(name)!.unit) || '\0');
  return planned
    .filter((name, i) => planned.findIndex(other => said(other) === said(name)) === i)
    .toSorted((a, b) => Number(isInUnit(b)) - Number(isInUnit(a)));
}

/**
 * Plans a question about a site from its words, with what the site's dossier says. Pure.
 * @param text the dossier as JSON.
 */
export function siteTask(catalog: Catalog, question: string, text: string): Task {
  const dossier = JSON.parse(text) as Dossier;
  const { rest, parts: elsewhere } = judged(question, readQuestion(catalog, question, true), whereaboutsOf(dossier));
  const isIdle = (words: string) => wordsOf(catalog, words).every(word => !inCatalog(catalog, word) || word.weight < 1);
  const spanish = isInSpanish(question);
  const evidence = new Map<string, Evidence>();
  const parts: Part[] = [];
  const isOwn = (clause: string) => siteRecordOf(clause, dossier, isIdle, spanish) !== null;
  for (const clause of rest === null ? [] : clausesOf(rest).wanted) {
    const own = siteRecordOf(clause, dossier, isIdle, spanish);
    if (!own || evidence.has(own.field)) continue;
    evidence.set(own.field, own);
    parts.push({ text: clause, fields: [own.field], unknown: [], enrichment: [] });
  }
  const written = new Map(rest === null ? [] : clausesOf(rest).wanted.map(clause => [withoutSite(clause), clause]));
  const words = rest === null ? { preset: null, fields: [], parts: [] } : planQuestion(catalog, withoutSite(rest));
  const add = (name: string, statistic: Statistic | null) => {
    const found = evidence.has(name) ? null : evidenceOf(catalog, name, dossier, question, statistic);
    if (found && evidence.size < MAX_PLANNED) evidence.set(name, found);
  };
  for (const part of words.parts) {
    if (isOwn(part.text)) continue;
    const fields = fieldsOf(catalog, dossier, part);
    const hasValue = (name: string) => {
      const kept = dossier.records[name];
      return kept?.status === 'ok' || kept?.area?.status === 'ok';
    };
    // What has no value is followed by what may stand for it.
    if (fields.length > 0 && !fields.some(hasValue))
      fields.push(...fields.flatMap(standInsFor).filter(hasValue).slice(0, 1));
    // What the list of parcels has of each is not told of one of them.
    const listed = fields.filter(name => LISTED_OF_PARCELS.has(name));
    const told = fields.filter(name => !LISTED_OF_PARCELS.has(name));
    if (listed.length > 0) {
      if (!evidence.has('site_parcels')) evidence.set('site_parcels', parcelsOf(dossier, part.text, spanish));
      told.push('site_parcels');
    }
    for (const name of told) add(name, siteClauseOf(part.text).statistic);
    // Enrichment is of parcels.
    const answered = told.length > 0 ? { unknown: [], enrichment: [] } : {};
    const text = written.get(part.text) ?? part.text;
    parts.push({ ...part, text, fields: told.filter(name => evidence.has(name)), ...answered });
  }
  if (words.preset !== null) for (const name of words.fields) add(name, null);
  return {
    question: rest ?? question,
    plan: { preset: words.preset, parts: [...parts, ...elsewhere], fields: [...evidence.keys()] },
    evidence: [...evidence.values()],
    about: spanish
      ? `un sitio registrado de ${withCommas(dossier.acres)} acres`
      : `a registered site of ${withCommas(dossier.acres)} acres`,
  };
}

/** Questions that may follow one about a site, and that its dossier answers. @param text the dossier as JSON. */
export function siteFollowUps(catalog: Catalog, { question, plan }: Task, text: string): string[] {
  const { records } = JSON.parse(text) as Dossier;
  const installed = Object.keys(records).filter(
    name => catalog.fields.has(name) && (records[name]!.status === 'ok' || records[name]!.area?.status === 'ok'),
  );
  const all = followUps(catalog, { question, planned: plan.fields, installed });
  return all.flatMap(one => (siteTask(catalog, one.question, text).plan.fields.length > 0 ? [one.question] : []));
}
