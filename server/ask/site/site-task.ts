import type { Catalog } from '../../../datasets/catalog.ts';
import type { Dossier } from '../../sites/dossier.ts';
import { type AskRecord, type Evidence, MAX_PLANNED, type Task } from '../backend.ts';
import { planQuestion } from '../plan/planner.ts';
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

/**
 * Plans a question about a site from its words, with what the site's dossier says. Pure.
 * @param text the dossier as JSON.
 */
export function siteTask(catalog: Catalog, question: string, text: string): Task {
  const dossier = JSON.parse(text) as Dossier;
  const own = siteRecords(question, dossier);
  const words = planQuestion(catalog, question);
  const evidence = [...own, ...evidenceOf(catalog, words.fields, dossier)].slice(0, MAX_PLANNED);
  const parts = own.length > 0 ? words.parts.filter(part => part.fields.length > 0) : words.parts;
  return {
    question,
    plan: { ...words, parts, fields: evidence.map(({ field }) => field) },
    evidence,
    about: `a registered site of ${withCommas(dossier.acres)} acres`,
  };
}
