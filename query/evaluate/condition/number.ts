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
