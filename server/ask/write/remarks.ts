import type { Part, Task } from '../backend.ts';
import { tongueOf } from './language.ts';

/** Most words of a question that a remark repeats. */
const MAX_WORDS = 3;

/** The words of the question that no field is about, without numbers and symbols. */
const matterOf = (parts: readonly Part[]): string[] =>
  [...new Set(parts.flatMap(part => part.unknown))]
    .filter(word => /^\p{L}{2,24}(?: \p{L}{2,24})?$/u.test(word))
    .slice(0, MAX_WORDS);

/** Sentences beside the records: what this answers not, and how to get it. */
export function remarksOn({ question, plan }: Task): string[] {
  const tongue = tongueOf(question);
  const { parts } = plan;
  const beyond = parts.flatMap(({ beyond, refused }) => (beyond ? [tongue.beyond(beyond, refused ?? '')] : []));
  const lacking = Map.groupBy(
    parts.flatMap(({ lacks }) => lacks ?? []),
    ({ of }) => of,
  );
  const unmet = parts.filter(part => part.fields.length === 0 && part.refused === undefined);
  const nothing = plan.fields.length === 0 && beyond.length + lacking.size === 0;
  const remarks = [...new Set(beyond)];
  for (const [of, subjects] of lacking)
    remarks.push(tongue.lacking([...new Set(subjects.map(({ subject }) => subject))], of));
  if (unmet.length > 0 || nothing) remarks.push(tongue.unmet(matterOf(unmet), unmet, plan.fields.length === 0));
  return remarks.map(text => `${text}.`);
}
