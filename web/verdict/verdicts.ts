import { type Judged, type Verdict, type VerdictRule, verdictOf } from '../../datasets/verdict.ts';

/** A field that decides a matter, with its record and what that decides. */
export interface Decision<R extends Judged> {
  readonly name: string;
  readonly record: R;
  readonly rule: Omit<VerdictRule, 'settledBy'> & { readonly settled_by: string };
  readonly verdict: Verdict;
}

/** A matter: the field that decides it, and others that tell of it too. */
export interface Matter<R extends Judged> {
  readonly first: Decision<R>;
  readonly others: readonly Decision<R>[];
}

type RuleOf<R extends Judged> = (name: string) => Decision<R>['rule'] | null | undefined;

/**
 * What records decide, by matter, in the order of the fields. A matter is decided by its first field that can tell; matters about which
 * none can are last.
 * @param ruleOf the rule of a field, as the catalog has it.
 */
export function mattersOf<R extends Judged>(fields: Readonly<Record<string, R>>, ruleOf: RuleOf<R>): Matter<R>[] {
  const decisions = Object.entries(fields).flatMap(([name, record]) => {
    const rule = ruleOf(name);
    return rule ? [{ name, record, rule, verdict: verdictOf(rule, record) }] : [];
  });
  const groups = [...Map.groupBy(decisions, ({ rule }) => rule.matter).values()];
  const isOpen = ({ verdict }: Decision<R>) => verdict.outcome === 'unknown';
  const matters = groups.map((group): Matter<R> => {
    const first = group.find(one => !isOpen(one)) ?? group[0]!;
    return { first, others: group.filter(one => one !== first) };
  });
  return [...matters.filter(({ first }) => !isOpen(first)), ...matters.filter(({ first }) => isOpen(first))];
}
