// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

import type { WithdrawFieldRequest } from './withdraw-field-request.ts';

/** A field request, whatever became of it */
export interface FieldRequest {
  readonly input: {
    readonly request_id: string;
  };
  readonly answer: WithdrawFieldRequest['answer'];
}
