import type { Part, Task } from '../backend.ts';
import { quoted } from './phrase.ts';

/** Words of a question that a remark repeats. */
const MAX_WORDS = 4;

const HOW_TO_REQUEST =
  'To have a data point added, describe it in plain words with an example location in POST /v1/field-requests.';

/** What no field is about, in the question's own words: numbers and symbols left out. */
function matterOf(parts: readonly Part[]): string {
  const words = [...new Set(parts.flatMap(part => part.unknown))].filter(word => /^\p{L}{2,24}$/u.test(word));
  return words.slice(0, MAX_WORDS).map(quoted).join(', ');
}

/** What is said about a question beside its records: what the catalog does not answer, and how to request it. */
export function remarksOn({ plan, evidence }: Task): string[] {
  const unmet = plan.parts.filter(part => part.fields.length === 0);
  if (unmet.length === 0 && evidence.length > 0) return [];
  const enrichment = [...new Set(unmet.flatMap(part => part.enrichment))];
  const matter = matterOf(unmet);
  const remarks = [
    evidence.length > 0
      ? `No field of the catalog answers the rest of the question${matter === '' ? '' : `: nothing is known here about ${matter}`}.`
      : `No field of the catalog answers this question, so nothing was looked up${matter === '' ? '' : `: nothing is known here about ${matter}`}.`,
  ];
  if (enrichment.length > 0)
    remarks.push(
      `POST /v1/enrich may answer it for the parcel, with ${enrichment.map(name => `\`${name}\``).join(' or ')}.`,
    );
  remarks.push(HOW_TO_REQUEST);
  return remarks;
}
