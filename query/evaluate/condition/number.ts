import type { Value } from '../../../datasets/dataset.ts';

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/**
 * Reads a column that publishes one or several numbers as text: `132000;33000`, the voltages of one line, is 132000.
 * @returns the largest part; null when no part is a number.
 */
export function largestPart(text: string): number | null {
  let largest: number | null = null;
  for (const part of text.split(';')) {
    const trimmed = part.trim();
    if (!NUMBER.test(trimmed)) continue;
    const value = Number(trimmed);
    if (largest === null || value > largest) largest = value;
  }
  return largest;
}

/** A published value as a finite number, text as its largest part; null for any other. */
export function numberIn(value: Value | undefined): number | null {
  const number = typeof value === 'string' ? largestPart(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}
