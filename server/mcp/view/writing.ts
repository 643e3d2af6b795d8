import { languageWork } from '../../language/language.ts';
import { cutToFit } from './cut.ts';
import { type Parts, partsOf } from './slim.ts';
import { inToolWords, type ToolWords } from './tool-words.ts';

/** An answer that is to be written for a model. */
export interface ViewRequest {
  /** JSON text of the body that HTTP answers, or of what is left of an earlier answer; bytes are UTF-8. */
  readonly text: string | Uint8Array;
  /** Whether it is what is left of an earlier answer. */
  readonly isRest: boolean;
  readonly shapes: boolean;
  readonly words: ToolWords;
  /** The address of the explorer, without a slash at its end. */
  readonly origin: string;
  /** Data of a tool beside the body that HTTP answers. */
  readonly beside?: Readonly<Record<string, unknown>>;
  /** Most tokens of both forms together; null for no limit. */
  readonly most: number | null;
}

/** Both forms of an answer; all is JSON text. */
export interface View {
  readonly structured: string;
  readonly lines: readonly string[];
  /** What was cut off, to be stored: JSON text in UTF-8, in memory of its own; null where nothing was. */
  readonly rest: Uint8Array | null;
}

const UTF8 = new TextEncoder();

/** Writes an answer for a model. Pure. */
export function writeView({ text, isRest, shapes, words, origin, beside, most }: ViewRequest): View {
  const json = typeof text === 'string' ? text : Buffer.from(text).toString('utf8');
  const given: unknown = JSON.parse(inToolWords(json, words));
  const parts = isRest ? (given as Parts) : partsOf(given, shapes, beside, origin);
  const { structured, lines, rest } = cutToFit(parts, most ?? Number.POSITIVE_INFINITY);
  return {
    structured: JSON.stringify(structured),
    lines,
    rest: rest === null ? null : UTF8.encode(JSON.stringify(rest)),
  };
}

/** The same in another thread, for answers whose reading would keep the serving thread busy. */
export const WRITE_VIEW = languageWork<ViewRequest, View>('write-view');
