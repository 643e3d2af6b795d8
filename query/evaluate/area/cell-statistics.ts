import type { Value } from '../../../datasets/dataset.ts';
import type { Expression } from '../../../datasets/grammar/expression.ts';
import { layerWords } from '../../../datasets/layer-words.ts';
import type { Partition } from '../../../datasets/release.ts';
import { confidenceOf } from '../confidence.ts';
import { type Question, testOf, valueInPrecision } from '../context.ts';
import { absent } from '../finding.ts';
import { published } from '../published.ts';
import { type AreaContext, type AreaFinding, measured } from './area.ts';
import { type CellRequest, visitCells } from './area-cells.ts';
import { CellTally } from './cell-tally.ts';

/** What is counted of cells: numbers, slopes with their classes, codes, or which cells meet the call's condition. */
type Counting = 'numbers' | 'slopes' | 'codes' | 'condition';

/**
 * Statistics of the cells of an area.
 * @param request which cells; their values as the call's condition sees them, but for labels.
 * @param label the value of a cell as it is answered; null where it stands for none. Numbers are counted by it too.
 * @param named how the condition sees a value that is a code.
 * @throws Fault when a raster that it needs is unreadable.
 */
export async function cellStatistics(
  ctx: AreaContext,
  call: Expression,
  { rule, precision }: Question,
  request: CellRequest,
  counting: Counting,
  label: (value: number) => Value,
  named: (value: number) => string | number = value => value,
): Promise<AreaFinding> {
  const tally = new CellTally();
  const test = call.where ? testOf(ctx, call.where) : null;
  const numberOf = (value: number) => (Number.isNaN(value) ? value : ((label(value) as number | null) ?? Number.NaN));
  // As the point form answers it.
  const told = (value: number) => valueInPrecision(label(value), precision);
  const meets = (value: number) => test!({ value: named(value) });
  const counts: { readonly [C in Counting]: (value: number) => void } = {
    numbers: value => {
      if (!test || Number.isNaN(value) || meets(value)) tally.number(numberOf(value));
    },
    slopes: value => {
      if (!test || Number.isNaN(value) || meets(value)) tally.slope(value);
    },
    codes: value => {
      if (!test || Number.isNaN(value) || meets(value)) tally.code(value, told);
    },
    condition: value => tally.code(value, meets),
  };
  const seen = await visitCells(ctx, request, counts[counting]);
  const words = (from: Iterable<Partition>) => layerWords(request.source, from);
  const confidence = confidenceOf(rule);
  if ('covering' in seen) return absent(`outside the coverage of ${words(seen.covering)}`, confidence, seen.covering);
  const { partitions } = seen;
  if (tally.empty) return absent(`no data in the cells of ${words(partitions)}`, confidence, partitions);
  if (counting === 'condition') return measured(tally.covered(ctx), confidence, partitions);
  if (counting === 'codes') return measured(tally.shares(ctx), confidence, partitions);
  return measured(tally.range(ctx, precision, counting === 'slopes'), confidence, partitions);
}

/** Statistics of the cells of a band as they are, told as the point form tells them. @throws Fault as cellStatistics. */
export function bandStatistics(
  ctx: AreaContext,
  call: Expression,
  question: Question,
  counting: Counting,
): Promise<AreaFinding> {
  const label = (raw: number): Value => {
    const said = published(raw, call, question.type, `band ${call.argument}`);
    return 'reason' in said ? null : said.value;
  };
  const request: CellRequest = {
    source: call.sources[0]!,
    band: Number(call.argument),
    margin: () => 0,
    values: ({ values }) => values,
  };
  return cellStatistics(ctx, call, question, request, counting, label);
}

/** The counting of cells that a statistic over a disc stands for. @returns null for one that stands for none. */
export const countingOf = (stat: string, numbers: Counting): Counting | null =>
  stat === 'fraction'
    ? 'condition'
    : stat === 'majority'
      ? 'codes'
      : stat === 'mean' || stat === 'range'
        ? numbers
        : null;
