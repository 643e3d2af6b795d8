import { createHash } from 'node:crypto';

/** A version of the terms. It never changes, so its digest identifies the accepted text. */
interface Terms {
  readonly version: string;
  readonly text: string;
}

/**
 * All versions that came with Plat. The last one is in force unless the operator has its own terms. To add a version,
 * add an entry; a test compares each one with its digest.
 */
export const TERMS: readonly Terms[] = [
  {
    version: '2026-11-24',
    text: `# Terms for agents

Version 2026-11-24

1. By accepting, you let an agent that you set up use this service in your name with an API token. What it does counts against the credits and limits of your account.
2. Values come from public data, each with its source, vintage and status. They are no survey, appraisal, legal or engineering opinion, and no flood determination. Whoever relies on one checks it at its source.
3. An absent value means that the source has no data there. A failed one says nothing. Neither may be passed on as a finding.
4. Whoever passes a value on names its source, and keeps to the licence that the catalog states for it.
5. Keep the token secret. Revoke it when the agent no longer needs it; it ends by itself after 90 days.
6. The service keeps when the agent was installed and verified, and of its first successful call the names of fields and the addresses of their sources, never the values, the place or the question.
`,
  },
];

/** The privacy notice: what this service stores about people. */
export const PRIVACY = `# Privacy

- Your account: e-mail address, plan, limits, when it was made and changed.
- API tokens: their names, when they were made, last used and revoked; never their text.
- Requests: the log has account, address, path, status and time. Places, questions and answers are not logged. Addresses that were resolved are kept for 30 days as digests beside their coordinates; results stored under an Idempotency-Key for 24 hours; runs and sites for 30 days; example addresses of field requests until 30 days after they end.
- Setting up an agent: which terms were accepted and when, which clients were installed, and of the first call the names of fields and the addresses of sources.
- Nothing is sold or given to advertisers. Whoever runs this service can delete an account with all that is personal in it.
`;

/** SHA-256 of a document in UTF-8, in hexadecimal. */
export const sha256Of = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

/** The terms in force, with the digest of their text. */
export interface TermsInForce extends Terms {
  readonly sha256: string;
}
