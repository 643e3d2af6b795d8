import type { FastifySchemaValidationError } from 'fastify';
import { MOST_ADVISED, namesText, nearestNames } from '../../query/format/name/nearest-names.ts';
import { presetEndpoints } from '../errors/name-advice.ts';

/** One entry of the default 422 shape. */
export interface ShapeIssue {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
  readonly input: unknown;
  readonly ctx: Readonly<Record<string, unknown>>;
}

/** A body of the wrong shape. It is answered with 422 `{detail: [issue, …]}`. */
export class ShapeError extends Error {
  override readonly name = 'ShapeError';
  readonly issues: readonly ShapeIssue[];

  constructor(issues: readonly ShapeIssue[]) {
    super(issues[0]?.msg ?? 'Invalid input');
    this.issues = issues;
  }
}

/** Wrong values listed at most: nobody reads more, and they would echo a hostile body back. */
export const MAX_ISSUES = 50;
/** Wrong names listed at most: more than any endpoint has, so that all of an honest request are told at once. */
export const MAX_NAMES = 1_000;

const TYPES: Readonly<Record<string, readonly [type: string, noun: string]>> = {
  number: ['float_type', 'number'],
  integer: ['int_type', 'integer'],
  string: ['string_type', 'string'],
  boolean: ['bool_type', 'boolean'],
  array: ['list_type', 'list'],
  object: ['model_attributes_type', 'object'],
};

/** @returns type, message and context of the issue for one failed keyword. */
function explain(error: FastifySchemaValidationError, input: unknown): [string, string, Record<string, unknown>] {
  const params = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case 'additionalProperties':
      return ['extra_forbidden', 'Extra inputs are not permitted', {}];
    case 'required':
      return ['missing', 'Field required', {}];
    case 'type': {
      if (typeof input === 'number' && !Number.isFinite(input))
        return ['finite_number', 'Input should be a finite number', {}];
      const wanted = [params.type].flat().filter(t => t !== 'null') as string[];
      const [type, noun] = TYPES[wanted[0] ?? ''] ?? ['type_error', String(wanted[0])];
      return [type, `Input should be a valid ${noun}`, {}];
    }
    case 'const':
    case 'enum': {
      const values = [params.allowedValues ?? params.allowedValue].flat();
      const allowed = values.filter(v => v !== null).map(v => `'${v}'`);
      const expected = allowed.length > 1 ? `${allowed.slice(0, -1).join(', ')} or ${allowed.at(-1)}` : allowed[0]!;
      return ['literal_error', `Input should be ${expected}`, { expected }];
    }
    case 'minimum':
      return ['greater_than_equal', `Input should be greater than or equal to ${params.limit}`, { ge: params.limit }];
    case 'maximum':
      return ['less_than_equal', `Input should be less than or equal to ${params.limit}`, { le: params.limit }];
    case 'minItems':
    case 'maxItems': {
      const least = error.keyword === 'minItems';
      const actual = (input as unknown[]).length;
      return [
        least ? 'too_short' : 'too_long',
        `List should have at ${least ? 'least' : 'most'} ${params.limit} item${params.limit === 1 ? '' : 's'}, not ${actual}`,
        { field_type: 'List', [least ? 'min_length' : 'max_length']: params.limit, actual_length: actual },
      ];
    }
    case 'minLength':
      return [
        'string_too_short',
        `String should have at least ${params.limit} character${params.limit === 1 ? '' : 's'}`,
        { min_length: params.limit },
      ];
    case 'maxLength':
      return ['string_too_long', `String should have at most ${params.limit} characters`, { max_length: params.limit }];
    case 'pattern':
      return [
        'string_pattern_mismatch',
        `String should match pattern '${params.pattern}'`,
        { pattern: params.pattern },
      ];
    default:
      return [error.keyword, error.message ?? 'Invalid input', params];
  }
}

/**
 * Gives the first error about a value the choices of all: each literal of a union is an error of its own, which names itself.
 */
function withChoices(
  error: FastifySchemaValidationError,
  errors: readonly FastifySchemaValidationError[],
): FastifySchemaValidationError {
  if (error.keyword !== 'const') return error;
  const same = errors.filter(({ keyword, instancePath }) => keyword === 'const' && instancePath === error.instancePath);
  return { ...error, params: { allowedValue: [...new Set(same.map(({ params }) => params.allowedValue))] } } as never;
}

/** The keys that an object may still get: those of its schema that it lacks. */
function lackingKeys({ parentSchema }: { readonly parentSchema?: unknown }, object: unknown): string[] {
  const { properties } = (parentSchema ?? {}) as { readonly properties?: object };
  return Object.keys(properties ?? {}).filter(key => !Object.hasOwn(object as object, key));
}

/**
 * Adds what may be meant instead of a wrong name: the nearest keys of the schema, or the nearest of the listed values.
 * @param parent of the value: the object that has the key.
 */
function advised(
  [type, msg, ctx]: ReturnType<typeof explain>,
  error: FastifySchemaValidationError,
  key: string | number | undefined,
  input: unknown,
  parent: unknown,
): ReturnType<typeof explain> {
  if (type === 'extra_forbidden') {
    const lacking = lackingKeys(error as never, parent);
    const isPlace = key === 'parcel_id' && lacking.includes('lat');
    // What an answer has beside the id of a parcel is the way to it.
    const suggestions = isPlace ? ['lat', 'lng'] : nearestNames(String(key), lacking);
    return suggestions.length > 0
      ? [type, `${msg}; nearest: ${namesText(suggestions)}`, { ...ctx, suggestions }]
      : [type, msg, ctx];
  }
  if (type !== 'literal_error' || typeof input !== 'string') return [type, msg, ctx];
  const { allowedValues, allowedValue } = error.params as Record<string, unknown>;
  const suggestions = nearestNames(
    input,
    [allowedValues ?? allowedValue].flat().filter(value => typeof value === 'string'),
  );
  const owners = key === 'preset' ? presetEndpoints(input) : [];
  return [
    type,
    owners.length > 0 ? `${msg}; it is a preset of ${owners.join(' and ')}` : msg,
    { ...ctx, ...(suggestions.length > 0 && { suggestions }), ...(owners.length > 0 && { known_by: owners }) },
  ];
}

/**
 * Turns Ajv's errors into the default 422 shape.
 * @param errors of one body, from Ajv with `allErrors` and `verbose`: with the schema that each broke.
 * @param body the value that was checked; undefined when there was none.
 * @param part the part of the request that it comes from.
 */
export function shapeIssues(
  errors: readonly FastifySchemaValidationError[],
  body: unknown,
  part: 'body' | 'header' | 'path' | 'query' = 'body',
): ShapeIssue[] {
  if (body === undefined || body === null)
    return [{ loc: [part], msg: 'Field required', type: 'missing', input: null, ctx: {} }];
  const issues: ShapeIssue[] = [];
  const seen = new Set<string>();
  let [names, advice] = [0, 0];
  for (const error of errors) {
    const isName = error.keyword === 'additionalProperties';
    if (isName ? names === MAX_NAMES : issues.length - names === MAX_ISSUES) continue;
    const loc: (string | number)[] = [part];
    let input: unknown = body;
    const step = (key: string) => {
      loc.push(Array.isArray(input) ? Number(key) : key);
      input =
        typeof input === 'object' && input !== null && Object.hasOwn(input, key)
          ? (input as Record<string, unknown>)[key]
          : undefined;
    };
    for (const part of error.instancePath.split('/').slice(1)) step(part.replaceAll('~1', '/').replaceAll('~0', '~'));
    const parent = input;
    const { additionalProperty, missingProperty } = error.params as Record<string, string | undefined>;
    if (additionalProperty !== undefined) step(additionalProperty);
    if (missingProperty !== undefined) {
      step(missingProperty);
      input = parent;
    }
    // One wrong value may break several keywords; only the first is reported.
    const key = JSON.stringify(loc);
    if (seen.has(key)) continue;
    seen.add(key);
    const whole = withChoices(error, errors);
    const plain = explain(whole, input);
    const wrongName = isName || plain[0] === 'literal_error';
    const [type, msg, ctx] =
      wrongName && ++advice <= MOST_ADVISED ? advised(plain, whole, loc.at(-1), input, parent) : plain;
    if (isName) names++;
    issues.push({ loc, msg, type, input, ctx });
  }
  return issues;
}
