import type { Catalog } from '../../../datasets/catalog.ts';
import type { Availability } from '../../../query/enrich/availability.ts';
import { MAX_PLANNED, type Part, type Plan } from '../backend.ts';
import { subjectOf } from '../write/subject.ts';

/**
 * A plan without the fields that the release cannot answer: each part says which, and why. What a preset expands to stays: its
 * fields and their order are those of the interface.
 * @param availability what the release can answer.
 */
export function answerable(catalog: Catalog, plan: Plan, availability: Pick<Availability, 'lack'>): Plan {
  const expanded = new Set(plan.preset === null ? [] : catalog.presets.get(plan.preset)!.slice(0, MAX_PLANNED));
  const stays = (name: string) => expanded.has(name) || availability.lack(name) === null;
  const parts = plan.parts.map((part): Part => {
    const lacking = part.fields.filter(name => !stays(name));
    if (lacking.length === 0) return part;
    const reasons = [...Map.groupBy(lacking, name => availability.lack(name)!.reason)].map(([reason, names]) => {
      const subjects = names.map(name => subjectOf(catalog.fields.get(name)!));
      return `${subjects.join(', ')} cannot be answered here: ${reason}`;
    });
    const told = `${reasons.join('; ')}.`;
    const lacks = lacking.map(name => ({
      subject: subjectOf(catalog.fields.get(name)!),
      of: availability.lack(name)!.of,
    }));
    return { ...part, fields: part.fields.filter(stays), lacks, refused: told[0]!.toUpperCase() + told.slice(1) };
  });
  return { ...plan, fields: plan.fields.filter(stays), parts };
}
