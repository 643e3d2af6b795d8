import { ServiceError } from '../../errors/registry.ts';

/** The state store failed: 503. Nothing that was asked of it took effect. */
export class StateUnavailable extends ServiceError<'state_unavailable'> {
  constructor(cause: unknown) {
    super('state_unavailable');
    this.cause = cause;
  }
}
