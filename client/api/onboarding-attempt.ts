// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

import type { TellOnboardingProgress } from './tell-onboarding-progress.ts';

/** How far an attempt has come */
export interface OnboardingAttempt {
  readonly input: {
    readonly attempt_id: string;
  };
  readonly answer: TellOnboardingProgress['answer'];
}
