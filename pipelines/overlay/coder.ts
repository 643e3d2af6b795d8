import type { ScalarType, Value } from '../../datasets/dataset.ts';
import { type Finding, failed } from '../../query/evaluate/finding.ts';
import { type Reason, reasonOf } from '../../query/parcel/reason.ts';
import type { StoredType } from '../../query/parcel/record-page.ts';
import { Fault } from '../../query/release/fault.ts';
import type { BlockField } from './block-file.ts';

/** Returns the stored type of a catalog type: dates and timestamps are stored as text. */
export const storedTypeOf = (type: ScalarType): StoredType =>
  type === 'date' || type === 'timestamp' ? 'string' : type;

function fits(type: StoredType, value: Value): boolean {
  if (type === 'integer') return Number.isSafeInteger(value);
  if (type === 'number') return typeof value === 'number' && Number.isFinite(value);
  return typeof value === type;
}

/** Whether two findings are equal except for their value. */
function alike(a: Finding, b: Finding): boolean {
  if (a.status !== b.status || a.confidence !== b.confidence || a.error !== b.error) return false;
  // Equal lists of near areas are the same object.
  if (a.near !== b.near) return false;
  if (a.notes.length !== b.notes.length || a.citations.length !== b.citations.length) return false;
  for (let i = 0; i < a.notes.length; i++) if (a.notes[i] !== b.notes[i]) return false;
  for (let i = 0; i < a.citations.length; i++) {
    const [x, y] = [a.citations[i]!, b.citations[i]!];
    if (x.source !== y.source || x.url !== y.url || x.vintage !== y.vintage) return false;
  }
  return true;
}

/** Turns the findings of one field into values and codes. */
export class Coder {
  readonly #labels: Readonly<Record<string, string>> | null;
  readonly #type: StoredType;
  readonly #codes: Uint32Array;
  readonly #values: Value[];
  readonly #reasons: Reason[] = [];
  readonly #codesByKey = new Map<string, number>();
  /** The previous finding, because neighbours mostly have the same reason. */
  #last: { readonly finding: Finding; readonly code: number } | null = null;

  /**
   * @param count number of findings.
   * @param labels the stored text of each value; null if values are stored unchanged.
   */
  constructor(type: StoredType, count: number, labels: Readonly<Record<string, string>> | null = null) {
    this.#labels = labels;
    this.#type = type;
    this.#codes = new Uint32Array(count);
    this.#values = new Array<Value>(count).fill(null);
  }

  /** Adds findings from index `start` on. */
  add(findings: readonly Finding[], start: number): void {
    for (const [i, given] of findings.entries()) {
      let finding = given;
      if (this.#labels && given.status === 'ok')
        finding = { ...given, value: this.#labels[String(given.value)] ?? given.value };
      if (finding.status === 'ok' && !fits(this.#type, finding.value))
        finding = failed(new Fault(`the value ${JSON.stringify(finding.value)} is no ${this.#type} as declared`));
      this.#codes[start + i] = this.#codeOf(finding);
      this.#values[start + i] = finding.status === 'ok' ? finding.value : null;
    }
  }

  /** Returns the coded field. @param places index of each parcel's finding; null if each parcel has its own, in order. */
  field(name: string, places: Uint32Array | null): BlockField {
    const [type, reasons] = [this.#type, this.#reasons];
    if (!places) return { name, type, codes: this.#codes, values: this.#values, reasons };
    const codes = places.map(place => this.#codes[place]!);
    const values = Array.from(places, place => this.#values[place]!);
    return { name, type, codes, values, reasons };
  }

  #codeOf(finding: Finding): number {
    if (this.#last && (this.#last.finding === finding || alike(this.#last.finding, finding))) return this.#last.code;
    const reason = reasonOf(finding);
    const key = JSON.stringify(reason);
    let code = this.#codesByKey.get(key);
    if (code === undefined) {
      code = this.#reasons.push(reason) - 1;
      this.#codesByKey.set(key, code);
    }
    this.#last = { finding, code };
    return code;
  }
}
