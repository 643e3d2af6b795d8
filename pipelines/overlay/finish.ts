import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Value } from '../../datasets/dataset.ts';
import { ENRICH_ONLY } from '../../datasets/enrich/enrich-only.ts';
import { isOnly } from '../../query/enrich/only.ts';
import { areaKeyOf, COVER } from '../../query/parcel/built-columns.ts';
import type { Reason } from '../../query/parcel/reason.ts';
import type { StagedFile } from '../../query/release/home/store.ts';
import { type BlockField, readOverlayBlock } from './block-file.ts';
import { type ColumnSpec, ColumnWriter } from './columns.ts';
import { RecordWriter } from './records.ts';

/** Finished blocks from which the files of one overlay are made. */
export interface FinishWork {
  readonly dataset: string;
  /** Blocks in the order of `ord`. */
  readonly blocks: readonly string[];
  /** Folder for the files. */
  readonly folder: string;
  /** Time of computation, ISO 8601 in UTC with milliseconds and Z. */
  readonly computedAt: string;
}

export interface Finished {
  readonly files: readonly StagedFile[];
  /** Whether a source could not be read but may be readable later. */
  readonly retry: boolean;
}

/** Collects the reasons of one field over all blocks, each once. */
class Reasons {
  readonly list: Reason[] = [];
  readonly #codes = new Map<string, number>();
  /** Returns the codes of a block in the numbering of the file. */
  recode({ codes, reasons }: BlockField): Uint32Array {
    const map = reasons.map(reason => {
      const key = JSON.stringify(reason);
      let code = this.#codes.get(key);
      if (code === undefined) {
        code = this.list.push(reason) - 1;
        this.#codes.set(key, code);
      }
      return code;
    });
    return codes.map(code => map[code]!);
  }
}

/** Numbers areas: parcels of equal key, reason and coverage of tables have one number. */
class AreaNumbers {
  readonly #numbers = new Map<string, number>();
  of(value: Value, code: number, cover: Value): number {
    const key = `${value ?? ''}\0${code}\0${cover ?? ''}`;
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(key, number);
    }
    return number;
  }
}

/** Writes the row store and the column file of one overlay from its finished blocks. */
export async function finishOverlay({ dataset, blocks, folder, computedAt }: FinishWork): Promise<Finished> {
  mkdirSync(folder, { recursive: true });
  const areas = areaKeyOf(dataset) !== null;
  const [columnsPath, recordsPath] = [join(folder, 'columns.parquet'), join(folder, 'overlay.records')];
  const fields = readOverlayBlock(blocks[0]!, dataset).fields.map(({ name, type }) => ({ name, type }));
  const specs = fields.flatMap(({ name, type }): ColumnSpec[] => {
    const own: ColumnSpec[] = [
      { name, type },
      { name: `${name}:code`, type: 'codes' },
    ];
    if (areas && name !== COVER) own.push({ name: `${name}:area`, type: 'area' });
    return own;
  });
  const reasons = new Map(fields.map(({ name }) => [name, new Reasons()]));
  const numbers = new Map(fields.map(({ name }) => [name, new AreaNumbers()]));
  const columns = await ColumnWriter.create(columnsPath, specs);
  let records: RecordWriter | null = null;
  try {
    records = new RecordWriter(
      recordsPath,
      fields.map(field => field.type),
      isOnly(dataset) && ENRICH_ONLY[dataset].type !== 'number',
    );
    for (const block of blocks) {
      const held = readOverlayBlock(block, dataset).fields;
      const count = held[0]!.codes.length;
      const recoded = held.map(field => ({ ...field, codes: reasons.get(field.name)!.recode(field) }));
      const cover = recoded.find(field => field.name === COVER);
      await columns.add(
        recoded.flatMap(({ name, values, codes }) => {
          const own = [values, Array.from(codes)];
          if (areas && name !== COVER)
            own.push(values.map((value, i) => numbers.get(name)!.of(value, codes[i]!, cover!.values[i]!)));
          return own;
        }),
        count,
      );
      records.add(recoded, count);
    }
    const lists = new Map([...reasons].map(([name, { list }]) => [name, list]));
    await columns.finish(lists, computedAt);
    const rows = records.finish({
      computedAt,
      fields: fields.map(({ name, type }) => ({ name, type, reasons: lists.get(name)! })),
    });
    return {
      files: [
        { role: 'columns', path: columnsPath, rows },
        { role: 'records', path: recordsPath, rows },
      ],
      retry: [...lists.values()].some(list => list.some(reason => reason.status === 'failed' && reason.retryable)),
    };
  } finally {
    columns.close();
    records?.close();
  }
}
