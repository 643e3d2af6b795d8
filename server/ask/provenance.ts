import type { Evidence, Part, Sentence } from './backend.ts';
import { quoted } from './write/phrase.ts';
import { subjectOf } from './write/subject.ts';

/** Sentences on the data behind the values, for the parts of a question that ask of it. */
export function provenanceSaid(parts: readonly Part[], evidence: readonly Evidence[]): Sentence[] {
  return parts.flatMap(({ ofSource, fields }) => {
    const one = evidence.find(({ field, record }) => fields.includes(field) && record.status === 'ok');
    if (!ofSource || !one) return [];
    const { source, dataset_vintage: vintage, confidence } = one.record;
    const subject = subjectOf(one);
    const text = {
      vintage:
        vintage === null
          ? `The source of ${subject} gives no date of its data.`
          : `The data for ${subject} is of ${vintage}.`,
      confidence: `The confidence in ${subject} is ${confidence}.`,
      source: `The source of ${subject} is ${quoted(source)}.`,
    }[ofSource];
    return [{ text, fields: [one.field] }];
  });
}
