import type { TermsInForce } from '../../onboarding/terms.ts';
import type { Resource } from '../resource.ts';

/** The terms in force. */
export const termsResource = ({ text }: TermsInForce): Resource => ({
  name: 'terms',
  title: 'Terms for agents',
  description: 'What may be done with values, and how they are to be cited.',
  mimeType: 'text/markdown',
  uri: 'service://terms',
  read: () => text,
});
