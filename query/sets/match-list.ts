import { CalculatedOutputs } from '../search/page/calculated-outputs.ts';
import { PageWriter } from '../search/page/page-writer.ts';
import { RowTexts } from '../search/page/row-texts.ts';
import type { CountySet } from './county-set.ts';
import type { SetRequest } from './ground/set-ground.ts';

const UTF8 = new TextDecoder();
/** Bytes of matches as text that one list keeps: it is written once. */
const TEXT_BYTES = 1 << 20;

/** Some parcels of a set as a search writes its matches. */
export class MatchList {
  readonly #outputs: readonly string[];
  readonly #writer: PageWriter;
  #county: { readonly set: CountySet; readonly computed: CalculatedOutputs } | null = null;

  constructor({ outputs, countyByFips }: Pick<SetRequest, 'outputs' | 'countyByFips'>) {
    this.#outputs = outputs;
    this.#writer = new PageWriter(outputs, countyByFips, false, new RowTexts(TEXT_BYTES));
  }

  get count(): number {
    return this.#writer.count;
  }

  /** @throws DamagedFile when the row cannot be read. */
  async add(set: CountySet, row: number): Promise<void> {
    if (this.#county?.set !== set)
      this.#county = { set, computed: new CalculatedOutputs(set.calculated, this.#outputs, set.parcels) };
    const { computed } = this.#county;
    await computed.read(row);
    this.#writer.add(set.parcels, row, set.source, computed);
  }

  /** The matches as a JSON array, in the order in which they were added. */
  text(): string {
    const { memory, start, end } = this.#writer.text();
    return UTF8.decode(memory.subarray(start, end));
  }

  /** Lets its memory be used again. */
  release(): void {
    this.#writer.release();
  }
}
