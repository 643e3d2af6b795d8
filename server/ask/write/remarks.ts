import type { Part, Task } from '../backend.ts';
import { quoted } from './phrase.ts';

/** Most words of a question that a remark repeats. */
const MAX_WORDS = 4;

const HOW_TO_REQUEST =
  'To have a data point added, describe it in plain words with an example location in POST /v1/field-requests.';

/** The words of the question that no field is about, without numbers and symbols. */
function matterOf(parts: readonly Part[]): string {
  const words = [...new Set(parts.flatMap(part => part.unknown))].filter(word =>
    /^\p{L}{2,24}(?: \p{L}{2,24})?$/u.test(word),
  );
  return words.slice(0, MAX_WORDS).map(quoted).join(', ');
}

/** What is missing, as the end of a sentence. */
function missingOf(parts: readonly Part[]): string {
  const matter = matterOf(parts);
  if (matter !== '') return `: nothing is known here about ${matter}`;
  const kinds = [...new Set(parts.flatMap(({ lacking }) => lacking ?? []))];
  return kinds.length === 0 ? '' : `: none that is about it gives ${kinds.join(' or ')}`;
}

/** The remark about fields of enrichment that would answer the question. */
function enrichmentRemark(parts: readonly Part[], how: string): string[] {
  const names = [...new Set(parts.flatMap(part => part.enrichment))].map(name => `\`${name}\``);
  return names.length === 0 ? [] : [`POST /v1/enrich ${how} the parcel, with ${names.join(' or ')}.`];
}

/** Remarks beside the records: what the catalog cannot answer, and how to request it. */
export function remarksOn({ plan, evidence }: Task): string[] {
  const refused = [...new Set(plan.parts.flatMap(part => part.refused ?? []))];
  const unmet = plan.parts.filter(part => part.fields.length === 0 && part.refused === undefined);
  if (unmet.length === 0 && (evidence.length > 0 || refused.length > 0)) {
    const beside = matterOf(plan.parts);
    return [
      ...refused,
      ...(beside === '' ? [] : [`Nothing is known here about ${beside}.`]),
      ...enrichmentRemark(plan.parts, 'may say more of'),
    ];
  }
  const remarks = [
    ...refused,
    evidence.length > 0
      ? `No field of the catalog answers the rest of the question${missingOf(unmet)}.`
      : `No field of the catalog answers this question, so nothing was looked up${missingOf(unmet)}.`,
  ];
  remarks.push(...enrichmentRemark(plan.parts, 'may answer it for'));
  remarks.push(HOW_TO_REQUEST);
  return remarks;
}
