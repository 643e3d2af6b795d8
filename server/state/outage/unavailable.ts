import { ServiceError } from '../../errors/registry.ts';

/** The state store did not do its part: 503, and nothing that was asked of it took effect. */
export class StateUnavailable extends ServiceError {
  constructor(cause: unknown) {
    super('state_unavailable');
    this.cause = cause;
  }
}
