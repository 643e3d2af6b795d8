import { ServiceError } from '../errors/registry.ts';
import type { ShapeIssue } from '../http/shape.ts';

/** What is wrong with a part of a payload. */
interface PayloadIssue {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

/** The refusal of a payload, in the typed shape. @param errors at least one. */
export function invalidPayload(errors: readonly PayloadIssue[]): ServiceError {
  const { loc, msg } = errors[0]!;
  const first = loc.length > 0 ? `\`${loc.join('.')}\`: ${msg}` : msg;
  const count = errors.length === 1 ? '1 fault' : `${errors.length} faults, the first`;
  return new ServiceError('invalid_payload', { count, first }, { errors });
}

/** The same for what the schema found; what was sent is not repeated. */
export const payloadRefused = (issues: readonly ShapeIssue[]): ServiceError =>
  invalidPayload(issues.map(({ loc, msg, type }) => ({ loc: loc.slice(1), msg, type })));
