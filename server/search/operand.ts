import { STATE_FIPS } from '../../datasets/codes/state-fips.ts';
import {
  type Comparison,
  FIPS,
  normaliseCity,
  normaliseCounty,
  type Operand,
  type Test,
} from '../../query/search/request/filter.ts';

/** What is wrong with an operand and how to correct it. */
interface OperandFault {
  readonly description: string;
  readonly hint: string;
}

const EQUALITY: readonly Comparison[] = ['eq', 'ne', 'in'];
const ORDERED: readonly Comparison[] = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'between'];

/** The operators that each kind of name takes. */
export const OPERATORS: Readonly<Record<Test['kind'], readonly Comparison[]>> = {
  string: EQUALITY,
  boolean: EQUALITY,
  state: EQUALITY,
  county: EQUALITY,
  city: EQUALITY,
  number: ORDERED,
  integer: ORDERED,
  date: ORDERED,
  timestamp: ORDERED,
};

const DATE = /^(\d{4}-\d{2}-\d{2})$/;
const TIMESTAMP = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,3})?(Z|\+00:00)$/;

/** Epoch milliseconds of a date (midnight UTC) or a UTC timestamp; null when it is neither or not a real day. */
function instantOf(text: string): number | null {
  const match = DATE.exec(text) ?? TIMESTAMP.exec(text);
  if (!match) return null;
  const day = Date.parse(match[1]!);
  if (Number.isNaN(day) || new Date(day).toISOString().slice(0, 10) !== match[1]) return null;
  return Date.parse(text);
}

const text = (value: unknown): value is string => typeof value === 'string';

const STATE_CODE = /^[a-z]{2}$/i;

/**
 * Checks one operand and converts it to the form in which it is compared.
 * @returns the operand, or what is wrong with it, without quoting the value.
 */
export function readOperand(kind: Test['kind'], value: unknown): Operand | OperandFault {
  if (value === null)
    return { description: 'Null is never an operand.', hint: 'Missing values fail every filter; leave it out.' };
  switch (kind) {
    case 'boolean':
      return typeof value === 'boolean' ? value : { description: 'Expected a boolean.', hint: 'Write true or false.' };
    case 'number':
    case 'integer':
      return typeof value === 'number' && Number.isFinite(value)
        ? value
        : { description: 'Expected a finite JSON number.', hint: 'Write the number without quotes.' };
    case 'date':
    case 'timestamp':
      return (
        (text(value) ? instantOf(value) : null) ?? {
          description: 'Expected a date or a UTC timestamp.',
          hint: 'Write "2024-05-31" or "2024-05-31T12:00:00Z", with milliseconds at most.',
        }
      );
    case 'state': {
      // Some letters beyond ASCII become two letters in upper case.
      const code = text(value) && STATE_CODE.test(value.trim()) ? value.trim().toUpperCase() : '';
      return Object.hasOwn(STATE_FIPS, code)
        ? code
        : { description: 'Expected the two-letter code of a state or DC.', hint: 'For example "ME".' };
    }
    case 'county': {
      if (text(value) && FIPS.test(value.trim())) return value.trim();
      if (text(value) && normaliseCounty(value) !== '' && !/^\d+$/.test(value.trim())) return normaliseCounty(value);
      return {
        description: 'Expected a county name or a five-digit FIPS code as a string.',
        hint: 'Keep leading zeros: "01001".',
      };
    }
    case 'city':
      return text(value) && value.trim() !== ''
        ? normaliseCity(value)
        : { description: 'Expected the name of a city.', hint: 'It is compared without case and outer spaces.' };
    case 'string':
      return text(value)
        ? value
        : {
            description: 'Expected a string.',
            hint: 'Codes are strings too: write them in quotes, leading zeros kept.',
          };
  }
}
