import { describe, expect, it } from 'vitest';
import { columnsOf, parseCondition } from '../../../datasets/grammar/condition.ts';
import type { Partition } from '../../../datasets/release.ts';
import { unpublishedPart } from '../../../query/evaluate/unpublished.ts';

const partition = {
  unpublished: ['FLD_AR_ID', "ZONE_SUBTY like '%FLOODWAY%'", "Own_Type = 'FED'"],
} as unknown as Partition;
const ask = (text: string) => unpublishedPart(partition, columnsOf(parseCondition(text)), parseCondition(text));

describe('what a source does not publish', () => {
  it('is a column that the question reads', () => {
    expect(ask("FLD_AR_ID = '1' and SFHA_TF = 'T'")).toBe('FLD_AR_ID');
    expect(unpublishedPart(partition, ['FLD_AR_ID'], null)).toBe('FLD_AR_ID');
  });

  it('is a condition that the question asks for, alone or as one of its terms', () => {
    expect(ask("ZONE_SUBTY like '%FLOODWAY%'")).toBe("ZONE_SUBTY like '%FLOODWAY%'");
    expect(ask("FeatClass = 'Fee' and Own_Type = 'FED'")).toBe("Own_Type = 'FED'");
  });

  it('leaves other questions of the same columns alone', () => {
    expect(ask("ZONE_SUBTY like '0.2 PCT%'")).toBeNull();
    expect(ask("Own_Type = 'STAT'")).toBeNull();
    expect(ask("Own_Type = 'FED' or Own_Type = 'STAT'")).toBeNull();
    expect(unpublishedPart(partition, ['SFHA_TF'], null)).toBeNull();
  });
});
