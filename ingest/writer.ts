import type { Column, Value } from '../datasets/dataset.ts';
import type { Box, Geometry } from '../datasets/geometry.ts';

/** A row in a layer's normal schema, WGS84. */
export interface OutputRow {
  readonly properties: Readonly<Record<string, Value>>;
  readonly geometry: Geometry | null;
}

/** Contents of a finished file. */
export interface WrittenFile {
  readonly path: string;
  readonly bytes: number;
  readonly rows: number;
  /** lng,lat box of all features; null when none has a geometry. */
  readonly box: Box | null;
}

/**
 * Writes one file. Rows are added one by one in any order. The final path has no file until finish() resolves, and abort()
 * leaves nothing behind. Memory grows only by a few dozen bytes for each feature.
 */
export interface Writer {
  write(row: OutputRow): void | Promise<void>;
  finish(): Promise<WrittenFile>;
  abort(): Promise<void>;
}

export interface WriterOptions {
  /** Layer name written into the file. */
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly columns: Readonly<Record<string, Column>>;
  /** false: finish() does not wait for the disk; the caller makes the file durable later. */
  readonly durable?: boolean;
}
