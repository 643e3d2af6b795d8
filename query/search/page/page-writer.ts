import type { FeatureFile } from '../../format/flatgeobuf.ts';
import { JsonBytes, utf8 } from '../../format/json-bytes.ts';
import type { ParcelRef } from '../../parcel/parcel-match.ts';
import { PART } from '../../release/part.ts';
import type { CountyOf } from '../request/filter.ts';
import type { CalculatedOutputs } from './calculated-outputs.ts';
import { MatchWriter } from './match-writer.ts';
import type { RowTexts } from './row-texts.ts';
import { type PageOutline, type PageText, pageBytes, pageText, textIn } from './written-page.ts';

const OPEN = utf8('[');
const COMMA = utf8(',');
const CLOSE = utf8(']');
const ENRICHMENT = utf8(',"enrichment":');
const END = utf8('}');
const UTF8 = new TextDecoder();

/** Most bytes of the matches in an outline: they are parsed in the thread that serves everybody. */
const OUTLINE_BYTES = 65_536;

/** Where the matches of a county come from. */
export interface MatchSource extends CountyOf {
  /** Key of the partition. */
  readonly key: string;
  /** Whom the parcels are cited from: those of each part. */
  readonly sources: readonly string[];
}

/** The matches of a page, written one after another. */
export class PageWriter {
  readonly #out = JsonBytes.take();
  readonly #outputs: readonly string[];
  readonly #countyByFips: boolean;
  /** Where each match ends. */
  readonly #ends: number[] = [];
  readonly #toEnrich: ToEnrich[] | null;
  readonly #texts: RowTexts;
  #writer: { readonly parcels: FeatureFile; readonly of: MatchWriter } | null = null;

  /**
   * @param outputs names, in order. @param countyByFips whether `county` is answered by FIPS code.
   * @param enrich whether `enrichedText` will be asked for. @param texts of rows written before.
   */
  constructor(outputs: readonly string[], countyByFips: boolean, enrich: boolean, texts: RowTexts) {
    this.#texts = texts;
    this.#outputs = outputs;
    this.#countyByFips = countyByFips;
    this.#toEnrich = enrich ? [] : null;
  }

  /** Matches so far. */
  get count(): number {
    return this.#ends.length;
  }

  /**
   * Adds a match.
   * @param calculated read for the parcel.
   * @throws DamagedFile when its row cannot be read; the page is then as it was.
   */
  add(parcels: FeatureFile, ord: number, from: MatchSource, calculated: CalculatedOutputs): void {
    if (this.#writer?.parcels !== parcels)
      this.#writer = { parcels, of: MatchWriter.of(parcels, from, this.#outputs, this.#countyByFips) };
    const before = this.#out.length;
    this.#out.raw(this.count === 0 ? OPEN : COMMA);
    try {
      this.#writer.of.write(this.#out, ord, calculated, this.#texts);
    } catch (error) {
      this.#out.truncate(before);
      throw error;
    }
    this.#ends.push(this.#out.length);
    if (!this.#toEnrich) return;
    const point = parcels.pick(ord, parcels.columnPick(['centroid_lat', 'centroid_lon', PART]));
    this.#toEnrich.push({
      ref: { partition: from.key, ord },
      point: { lat: Number(point.centroid_lat), lng: Number(point.centroid_lon) },
      source: from.sources[Number(point[PART] ?? 0)]!,
    });
  }

  /** The array of matches. */
  text(): PageText {
    const out = this.#out;
    if (this.count === 0) out.raw(OPEN);
    out.raw(CLOSE);
    return pageText([out.written()]);
  }

  /**
   * The array of matches, each with what it is enriched with.
   * @param enrich writes the enrichment of a match as one JSON object.
   * @throws what `enrich` throws.
   */
  async enrichedText(enrich: (match: ToEnrich, out: JsonBytes) => Promise<void>): Promise<PageText> {
    const out = pageBytes();
    const start = out.length;
    if (this.count === 0) out.raw(OPEN);
    let from = 0;
    for (const [i, match] of (this.#toEnrich ?? []).entries()) {
      const end = this.#ends[i]!;
      // The match without its closing brace.
      out.raw(this.#out.written(from, end - 1));
      out.raw(ENRICHMENT);
      await enrich(match, out);
      out.raw(END);
      from = end;
      // Matches are about as long as one another: their memory need not grow step by step.
      if (i === 0) out.reserve(Math.ceil(((out.length - start) * this.count * 9) / 8));
    }
    out.raw(CLOSE);
    return textIn(out);
  }

  /** The first matches as they are before enrichment: as many as fit. */
  outline(): PageOutline {
    const end = this.#ends.findLast(end => end <= OUTLINE_BYTES);
    return { count: this.count, first: end === undefined ? '[]' : `${UTF8.decode(this.#out.written(0, end))}]` };
  }

  /** Lets its memory be used again. */
  release(): void {
    this.#out.release();
  }
}

/** A match of a page before it is enriched. */
export interface ToEnrich {
  readonly ref: ParcelRef;
  readonly point: { readonly lat: number; readonly lng: number };
  readonly source: string;
}
