import { type FieldMeta, isHere } from '../api/field.ts';

/** A condition as it is being written: values as text. */
export interface DraftFilter {
  readonly field: string;
  readonly op: string;
  readonly values: readonly string[];
}

/** A condition as the API takes it. */
export interface Filter {
  readonly field: string;
  readonly op: string;
  readonly value: unknown;
}

const WORDS: Readonly<Record<string, string>> = {
  eq: 'is',
  ne: 'is not',
  lt: 'is less than',
  lte: 'is at most',
  gt: 'is more than',
  gte: 'is at least',
  in: 'is one of',
  between: 'is between',
};

/** An operator in words. */
export const operatorText = (op: string): string => WORDS[op] ?? op;

/** Operators that this page offers for a field: areas are drawn instead. */
export const operatorsOf = (meta: FieldMeta | undefined): readonly string[] =>
  (meta?.filter_operators ?? ['eq']).filter(op => op in WORDS);

/** A value of a field's type; null where the text is none. */
function typedValue(text: string, type: string): unknown {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  if (type === 'boolean') return trimmed === 'true';
  if (type === 'number' || type === 'integer') {
    const number = Number(trimmed.replaceAll(',', ''));
    return Number.isFinite(number) ? number : null;
  }
  return trimmed;
}

/** A finished condition; null while something is missing. */
export function filterOf({ field, op, values }: DraftFilter, meta: FieldMeta | undefined): Filter | null {
  if (!meta) return null;
  if (op === 'in') {
    const all = values.flatMap(text => (meta.enum_values ? [text] : text.split(',')));
    const typed = all.map(text => typedValue(text, meta.type)).filter(value => value !== null);
    return typed.length > 0 ? { field, op, value: typed } : null;
  }
  const typed = values.slice(0, op === 'between' ? 2 : 1).map(text => typedValue(text, meta.type));
  if (typed.length === 0 || typed.includes(null)) return null;
  if (op === 'between') return typed.length === 2 ? { field, op, value: typed } : null;
  return { field, op, value: typed[0] };
}

/** A condition that an address holds, to be changed. */
export function draftOf({ field, op, value }: Filter): DraftFilter {
  return { field, op, values: (Array.isArray(value) ? value : [value]).map(String) };
}

/** Reads conditions of an address; none where they are none. */
export function readFilters(text: string | undefined): Filter[] {
  try {
    const list: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(list)
      ? (list as Filter[]).filter(({ field, op }) => typeof field === 'string' && op in WORDS)
      : [];
  } catch {
    return [];
  }
}

const fold = (text: string) => text.toLowerCase().replaceAll('_', ' ');

const EXACT = 10;

/** Fields that typed words mean, best first: by title, name and everyday words. */
export function fieldsMeant(typed: string, fields: readonly FieldMeta[], most: number): FieldMeta[] {
  const words = fold(typed).split(/\s+/).filter(Boolean);
  const whole = words.join(' ');
  const scored = fields.flatMap(field => {
    const [title, name] = [fold(field.title), fold(field.name)];
    const rest = fold(field.terms.join(' '));
    // What is called exactly so comes before what is also about it.
    let score = title === whole || name === whole ? EXACT : 0;
    for (const word of words) {
      const found = title.startsWith(word)
        ? 8
        : ` ${title}`.includes(` ${word}`)
          ? 6
          : ` ${name}`.includes(` ${word}`)
            ? 5
            : ` ${rest}`.includes(` ${word}`)
              ? 3
              : `${title} ${name}`.includes(word)
                ? 1
                : 0;
      if (found === 0) return [];
      score += found;
    }
    return [{ field, score: score - title.length / 100 + (isHere(field) ? 1 : 0) }];
  });
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ field }) => field);
}
