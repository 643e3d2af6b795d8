import { describe, expect, it } from 'vitest';
import { parseCondition } from '../../../../datasets/grammar/condition.ts';
import type { Expression } from '../../../../datasets/grammar/expression.ts';
import type { Partition } from '../../../../datasets/release.ts';
import type { Question } from '../../../../query/evaluate/context.ts';
import { absent } from '../../../../query/evaluate/finding.ts';
import { conditionWords, doubtedOf, doubtOf, openFinding, undecided } from '../../../../query/evaluate/vector/doubt.ts';
import type { Gathered } from '../../../../query/evaluate/vector/gathered.ts';
import type { Search } from '../../../../query/evaluate/vector/vector-search.ts';

import { ctxOf, MEDIUM, partition, source } from '../edge/zones.ts';

describe('doubt about a condition', () => {
  const where = (text: string) => parseCondition(text);

  it('is of what may be empty or unknown, with what empty means by column', () => {
    const asked = where("zone = 'AE' and wet = 'T' and plain = 'p'");
    const doubt = doubtOf(ctxOf(), source(), asked)!;
    expect(doubt).toEqual({
      kind: 'unknown',
      of: asked,
      meanings: {
        zone: { unknown: ['N/A'], none: null },
        wet: { unknown: [], none: where("zone = 'X'") },
      },
    });
    // One object serves as a key.
    expect(doubtOf(ctxOf(), source(), asked)).toBe(doubt);
    expect(doubtOf(ctxOf(), source('vague'), asked)).not.toBe(doubt);
  });

  it('is none where every row tells', () => {
    expect(doubtOf(ctxOf(), source(), null)).toBeNull();
    expect(doubtOf(ctxOf(), source(), where('zone is null'))).toBeNull();
    expect(doubtOf(ctxOf(), source(), where('zone is null and wet is not null'))).toBeNull();
    expect(doubtOf(ctxOf(), source(), where("zone is null and wet = 'T'"))).not.toBeNull();
    expect(doubtOf(ctxOf(), source('grid'), where("zone = 'AE'"))).toBeNull();
    const gathering = { source: source(), where: null, radius: 5, columns: [], listed: false };
    expect(doubtedOf(gathering, ctxOf())).toBeNull();
    const some = { ...gathering, where: where("zone = 'AE'") };
    expect(doubtedOf(some, ctxOf())).toMatchObject({ radius: 5, where: { kind: 'unknown', of: some.where } });
  });

  it('is said with the columns that decide', () => {
    const asked = where("zone = 'AE' and wet = 'T'");
    expect(undecided(asked)).toBe('what decides (zone, wet) is empty or unknown there');
    expect(conditionWords({ where: asked })).toBe(' that are asked for (by zone, wet)');
    expect(conditionWords({ where: null })).toBe('');
  });

  it('makes a count absent that rests on it, citing whose features are in doubt', () => {
    const [one, two] = [partition('one'), partition('two')];
    const call = {
      sources: [source()],
      where: where("zone = 'AE'"),
      options: { radius_m: 1500 },
    } as unknown as Expression;
    const search = { at: { covering: [one] } } as unknown as Search;
    const part = (of: Partition, count: number) => ({ partition: of, count }) as Gathered;
    const open = (parts: readonly Gathered[], span?: string) =>
      openFinding(call, { rule: MEDIUM } as Question, search, parts, span);
    expect(open([part(one, 2), part(two, 3)], ' or more')).toEqual({
      ...absent(
        '5 of the zones (one) within 1.5 km may or may not count or more: what decides (zone) is empty or unknown there',
        'medium',
        [one, two],
      ),
    });
    expect(open([part(two, 1)]).notes[0]).toMatch(/^one of the zones \(one\) within 1\.5 km may or may not count: /);
    expect(open([part(one, 1)]).citations).toHaveLength(1);
  });
});
