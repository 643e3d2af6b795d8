import type { FastifySchemaValidationError } from 'fastify';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import { MOST_ADVISED, nearestNames, withNearest } from '../../query/format/name/nearest-names.ts';
import { ServiceError } from '../errors/registry.ts';
import { MAX_ISSUES, type ShapeIssue, shapeIssues } from '../http/shape.ts';
import { BODIES, type BodyOf, type LocatorSchema, OPERATIONS, type Operation, SETS } from './schema.ts';

/** A fault in a part of a request. */
export interface RequestIssue {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

/** Makes the refusal of a request. @param errors at least one. @param all how many there are, listed or not. */
export function invalidRequest(errors: readonly RequestIssue[], all = errors.length): ServiceError {
  const { loc, msg } = errors[0]!;
  const first = loc.length > 0 ? `\`${loc.join('.')}\`: ${msg}` : msg;
  const count = all === 1 ? '1 fault' : `${all} faults, the first`;
  return new ServiceError('invalid_request', { count, first }, { errors });
}

/** Makes the refusal for faults that a schema found. It repeats nothing of what was sent. */
export const requestRefused = (issues: readonly ShapeIssue[]): ServiceError =>
  invalidRequest(issues.map(({ loc, msg, type }) => ({ loc: loc.slice(1), msg, type })));

const JUDGES = Object.fromEntries(OPERATIONS.map(name => [name, Compile(BODIES[name])])) as {
  readonly [K in Operation]: ReturnType<typeof Compile>;
};

/** The value at a JSON pointer. */
function valueAt(body: unknown, pointer: string): unknown {
  let value = body;
  for (const key of pointer.split('/').slice(1)) value = (value as Record<string, unknown> | null)?.[key];
  return value;
}

/**
 * Converts faults that a schema found to Ajv's form: one error for each missing or unknown key, and for a set or a list
 * only the errors of the form that was sent.
 */
function* asAjv(
  errors: readonly TLocalizedValidationError[],
  schema: TSchema,
  body: unknown,
): Generator<FastifySchemaValidationError> {
  for (const error of errors) {
    const { keyword, schemaPath, instancePath, params, message } = error as FastifySchemaValidationError;
    if (keyword === 'boolean' || keyword === 'anyOf') continue;
    const [, union, branch] = /^(.*?)\/anyOf\/([01])/.exec(schemaPath) ?? [];
    if (union !== undefined) {
      const pointer = instancePath.match(/^.*?\/(?:candidates|to)(?=\/|$)/)?.[0] ?? instancePath;
      if (Array.isArray(valueAt(body, pointer)) !== (branch === '1')) continue;
    }
    const parentSchema = valueAt(schema, schemaPath);
    const plain = (more: Record<string, unknown>) => ({
      ...{ keyword, schemaPath, instancePath, params: more, message },
      parentSchema,
    });
    const { requiredProperties, additionalProperties } = params as Record<string, string[] | undefined>;
    if (requiredProperties) for (const name of requiredProperties) yield plain({ missingProperty: name });
    else if (additionalProperties) for (const name of additionalProperties) yield plain({ additionalProperty: name });
    else yield plain(params);
  }
}

/** Checks the form of a locator. @returns what is wrong, or null. */
function locatorFault(locator: LocatorSchema, loc: RequestIssue['loc']): RequestIssue | null {
  const { lat, lng, address } = locator;
  const say = (msg: string, type: string, key?: string): RequestIssue => ({
    loc: key === undefined ? loc : [...loc, key],
    msg,
    type,
  });
  if (address !== undefined)
    return lat === undefined && lng === undefined
      ? null
      : say('Expected either `lat` and `lng` or `address`, not both', 'invalid_locator');
  if (lat === undefined && lng === undefined)
    return say('Expected either `lat` and `lng` or `address`', 'invalid_locator');
  if (lat === undefined) return say('Field required, because `lng` was sent', 'missing', 'lat');
  return lng === undefined ? say('Field required, because `lat` was sent', 'missing', 'lng') : null;
}

/** Every locator of a body, with its location in the body. */
function* locatorsIn(body: object, loc: RequestIssue['loc'] = []): Generator<[LocatorSchema, RequestIssue['loc']]> {
  for (const [key, value] of Object.entries(body)) {
    if (key === 'origin') yield [value as LocatorSchema, [...loc, key]];
    else if (key === 'rules')
      for (const [i, rule] of (value as object[]).entries()) yield* locatorsIn(rule, [...loc, key, i]);
    else if (['origins', 'destinations', 'candidates', 'to'].includes(key) && Array.isArray(value))
      for (const [i, one] of value.entries()) yield [one as LocatorSchema, [...loc, key, i]];
  }
}

/** Checks the rules that a schema cannot express. */
function* meaningOf(operation: Operation, body: object): Generator<RequestIssue> {
  for (const [locator, loc] of locatorsIn(body)) {
    const fault = locatorFault(locator, loc);
    if (fault) yield fault;
  }
  if (operation === 'labor_shed') {
    const { min_minutes = 0, max_minutes } = body as BodyOf<'labor_shed'>;
    if (min_minutes >= max_minutes)
      yield {
        loc: ['max_minutes'],
        msg: `Input should be greater than min_minutes (${min_minutes})`,
        type: 'greater_than',
      };
  }
  if (operation === 'nearest') {
    const { by, max_minutes } = body as BodyOf<'nearest'>;
    if (by === 'straight_line' && max_minutes !== undefined)
      yield { loc: ['max_minutes'], msg: 'Only with `by` drive_time', type: 'extra_forbidden' };
  }
  if (operation === 'screen')
    for (const [i, rule] of (body as BodyOf<'screen'>).rules.entries())
      if ((rule.within_minutes === undefined) === (rule.within_km === undefined))
        yield {
          loc: ['rules', i],
          msg: 'Expected exactly one of `within_minutes` and `within_km`',
          type: 'value_error',
        };
}

/** @throws ServiceError unknown_set, with all that are not listed. */
function requireSets(names: readonly string[]): void {
  const unknown = [...new Set(names)].filter(name => !(SETS as readonly string[]).includes(name));
  if (unknown.length === 0) return;
  // Repeat what was sent only when it looks like a name.
  const shown = unknown.filter(name => /^@?\w{1,40}$/.test(name));
  const suggestions = shown.slice(0, MOST_ADVISED).map(name => ({ name, nearest: nearestNames(name, SETS) }));
  throw new ServiceError(
    'unknown_set',
    { name: shown.length > 0 ? withNearest(shown, SETS) : 'of that name' },
    { suggestions },
  );
}

/**
 * Checks the body of one operation.
 * @throws ServiceError invalid_request with all faults, unknown_set.
 */
export function readBody<K extends Operation>(operation: K, body: unknown): BodyOf<K> {
  const judge = JUDGES[operation];
  if (!judge.Check(body)) {
    throw requestRefused(shapeIssues([...asAjv(judge.Errors(body), BODIES[operation], body)], body));
  }
  const wrong = [...meaningOf(operation, body as object)];
  if (wrong.length > 0) throw invalidRequest(wrong.slice(0, MAX_ISSUES), wrong.length);
  const named = operation === 'nearest' ? [(body as BodyOf<'nearest'>).candidates] : [];
  if (operation === 'screen') named.push(...(body as BodyOf<'screen'>).rules.map(rule => rule.to));
  requireSets(named.filter(name => typeof name === 'string'));
  return body as BodyOf<K>;
}

const NAMES = OPERATIONS.map(name => `'${name}'`);

/**
 * Reads the operation that a body names. @returns it, and the rest of the body.
 * @throws ServiceError invalid_request when there is no such operation.
 */
export function readOperation(body: unknown): { readonly operation: Operation; readonly rest: unknown } {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalidRequest([{ loc: [], msg: 'Input should be a valid object', type: 'model_attributes_type' }]);
  const { operation, ...rest } = body as Record<string, unknown>;
  const listed = OPERATIONS.find(name => name === operation);
  if (listed) return { operation: listed, rest };
  const missing = operation === undefined;
  const expected = `Input should be ${NAMES.slice(0, -1).join(', ')} or ${NAMES.at(-1)}`;
  throw invalidRequest([
    {
      loc: ['operation'],
      msg: missing ? `Field required: ${expected}` : expected,
      type: missing ? 'missing' : 'literal_error',
    },
  ]);
}
