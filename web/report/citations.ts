import type { Catalog } from '../api/catalog.ts';
import { type FieldRecord, isLacking } from '../values/field-record.ts';
import { dateWords } from '../values/page-words.ts';

/** Whom values are cited from. */
export interface Citation {
  readonly publisher: string;
  readonly title: string;
  readonly url: string | null;
  readonly date: string | null;
}

/** Citations of a report, numbered from 1 in the order in which they are first needed. */
export class Citations {
  readonly #catalog: Catalog | null;
  readonly #numbers = new Map<string, number>();
  readonly all: Citation[] = [];

  constructor(catalog: Catalog | null) {
    this.#catalog = catalog;
  }

  /** The number of a record's citation; null for one without any. */
  numberOf(name: string, record: FieldRecord): number | null {
    if (isLacking(record) || record.source === '') return null;
    const { source, source_url: url, dataset_vintage: vintage } = record;
    const key = `${source}|${vintage}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const meta = this.#catalog?.fields.get(name);
    const publishers = source
      .split(';')
      .map(one => meta?.in_release?.find(product => product.source === one)?.publisher ?? meta?.publisher ?? '')
      .filter(one => one !== '');
    this.all.push({
      publisher: [...new Set(publishers)].join(' and ') || 'The parcel file of this place',
      title: meta?.title ?? '',
      url: url !== null && /^https?:\/\//.test(url) ? url : null,
      date: vintage === null ? null : dateWords(vintage),
    });
    this.#numbers.set(key, this.all.length);
    return this.all.length;
  }
}
