import { ServiceError } from '../errors/registry.ts';
import type { ShapeIssue } from '../http/shape.ts';

/** A fault in a part of a payload. */
interface PayloadIssue {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

/** Makes the refusal of a payload. @param errors at least one. */
export function invalidPayload(errors: readonly PayloadIssue[]): ServiceError {
  const { loc, msg } = errors[0]!;
  const first = loc.length > 0 ? `\`${loc.join('.')}\`: ${msg}` : msg;
  const count = errors.length === 1 ? '1 fault' : `${errors.length} faults, the first`;
  return new ServiceError('invalid_payload', { count, first }, { errors });
}

/** Makes the refusal for faults that the schema found. It repeats nothing of what was sent. */
export const payloadRefused = (issues: readonly ShapeIssue[]): ServiceError =>
  invalidPayload(issues.map(({ loc, msg, type }) => ({ loc: loc.slice(1), msg, type })));
