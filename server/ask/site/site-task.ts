import type { Catalog } from '../../../datasets/catalog.ts';
import type { Dossier } from '../../sites/dossier.ts';
import { type AskRecord, type Evidence, MAX_PLANNED, type Task } from '../backend.ts';
import { planQuestion } from '../plan/planner.ts';
import { judged, NAMES_AROUND, type Whereabouts } from '../reading/judgement.ts';
import { readQuestion } from '../reading/reading.ts';
import { withCommas } from '../write/phrase.ts';
import { areaSentences } from './area-sentences.ts';
import { siteRecords } from './site-records.ts';

/** Records of a dossier with what their fields are and mean; a field that the catalog has won since is left out. */
function evidenceOf(catalog: Catalog, names: readonly string[], dossier: Dossier): Evidence[] {
  return names.flatMap(name => {
    const field = catalog.fields.get(name);
    const kept = dossier.records[name];
    if (!field || !kept) return [];
    const { area, ...record } = kept;
    const said = area === null ? [] : areaSentences(field, area);
    // Where the whole site has a value, its interior point says the less: without one there it still is an answer.
    const ofSite = area?.status === 'ok' && record.status !== 'ok' ? { status: 'ok' as const, value: null } : {};
    const { title, description, hint } = field;
    const at = "At the site's interior point";
    return [{ field: name, title, description, hint, area: said, at, record: { ...(record as AskRecord), ...ofSite } }];
  });
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
 * Plans a question about a site from its words, with what the site's dossier says. Pure.
 * @param text the dossier as JSON.
 */
export function siteTask(catalog: Catalog, question: string, text: string): Task {
  const dossier = JSON.parse(text) as Dossier;
  const { rest, parts: elsewhere } = judged(question, readQuestion(catalog, question, true), whereaboutsOf(dossier));
  const own = rest === null ? [] : siteRecords(rest, dossier);
  const words = rest === null ? { fields: [], preset: null, parts: [] } : planQuestion(catalog, rest);
  const evidence = [...own, ...evidenceOf(catalog, words.fields, dossier)].slice(0, MAX_PLANNED);
  const parts = own.length > 0 ? words.parts.filter(part => part.fields.length > 0) : words.parts;
  return {
    question: rest ?? question,
    plan: { ...words, parts: [...parts, ...elsewhere], fields: evidence.map(({ field }) => field) },
    evidence,
    about: `a registered site of ${withCommas(dossier.acres)} acres`,
  };
}
