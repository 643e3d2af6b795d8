import type { FastifyInstance } from 'fastify';
import type { TokenService } from '../auth/token.ts';
import type { Services } from '../context.ts';
import { AUTH_CODES } from '../errors/auth.ts';
import { ServiceError } from '../errors/registry.ts';
import { contextOf } from '../http/context.ts';
import { BODY_CODES, errorResponses } from '../http/error-schema.ts';
import type { AccountNotices } from '../mail/account-notices.ts';
import { termsOfVersion } from './configured.ts';
import { beginOnboarding, exchangeCode, readAttempt, readTerms, tellProgress } from './operation.ts';
import {
  AttemptParams,
  AttemptRecord,
  ExchangeBody,
  ExchangeResponse,
  OnboardingBody,
  OnboardingStart,
  ProgressBody,
  TermsResponse,
} from './schema.ts';
import { PRIVACY, type TermsInForce } from './terms.ts';

const LIMIT_MS = 5_000;
const tags = ['Onboarding'];

const NO_TOKEN = BODY_CODES.filter(
  code => !(AUTH_CODES as readonly string[]).includes(code) && code !== 'rate_limited',
);

/** The routes for setting up an agent, from the terms to the first call. */
export function onboardingRoutes(
  app: FastifyInstance,
  services: Services & {
    readonly tokens: TokenService;
    readonly notices: AccountNotices;
    readonly publicUrl: string;
    readonly terms: TermsInForce;
  },
): void {
  const { publicUrl, terms } = services;
  app.get(
    '/v1/onboarding/terms',
    {
      schema: {
        operationId: 'onboardingTerms',
        tags,
        summary: 'The terms in force',
        description: 'A version never changes: `sha256` is of the document at `url`.',
        response: { 200: TermsResponse },
      },
    },
    async () => readTerms(terms, publicUrl),
  );
  app.get<{ Params: { version: string } }>(
    '/v1/onboarding/terms/:version',
    { schema: { hide: true } },
    async (request, reply) => {
      const text = await termsOfVersion(services.state, request.params.version);
      if (text === null) throw new ServiceError('not_found');
      return reply.type('text/markdown; charset=utf-8').serializer(String).send(text);
    },
  );
  app.get('/v1/onboarding/privacy', { schema: { hide: true } }, async (_request, reply) =>
    reply.type('text/markdown; charset=utf-8').serializer(String).send(PRIVACY),
  );
  app.post<{ Body: OnboardingBody }>(
    '/v1/users/me/onboarding',
    {
      config: { protected: true, sessionOnly: true },
      schema: {
        operationId: 'beginOnboarding',
        tags,
        summary: 'Accept the terms and get a connect code for an agent',
        description:
          'Only from an action of the user who was shown the terms. Account, version, digest and time are recorded. The code is good once within 15 minutes.',
        body: OnboardingBody,
        response: {
          201: OnboardingStart,
          ...errorResponses([...BODY_CODES, 'auth_method_not_allowed', 'terms_outdated'], true),
        },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await beginOnboarding(contextOf(request, reply, services, LIMIT_MS), terms, request.body)),
  );
  app.post<{ Body: ExchangeBody }>(
    '/v1/onboarding/exchange',
    {
      schema: {
        operationId: 'exchangeConnectCode',
        tags,
        summary: 'Exchange a connect code for an API token',
        description: 'The code is used up by it, also when the answer is lost: then get a new code.',
        body: ExchangeBody,
        response: {
          200: ExchangeResponse,
          ...errorResponses([...NO_TOKEN, 'connect_code_not_found', 'connect_code_used', 'connect_code_expired'], true),
        },
      },
    },
    (request, reply) => exchangeCode(contextOf(request, reply, services, LIMIT_MS), services, request.body),
  );
  app.post<{ Params: AttemptParams; Body: ProgressBody }>(
    '/v1/onboarding/:attempt_id/progress',
    {
      config: { protected: true },
      schema: {
        operationId: 'tellOnboardingProgress',
        tags,
        summary: 'Say how far the agent has come',
        description:
          "With the API token that the attempt's code was exchanged for. The same again changes nothing. That a first call worked cannot be said: the service notes it when it happens, on a POST /v1/fetch with `X-Service-Onboarding-Attempt`.",
        params: AttemptParams,
        body: ProgressBody,
        response: {
          200: AttemptRecord,
          ...errorResponses([...BODY_CODES, 'onboarding_attempt_not_found'], true),
        },
      },
    },
    (request, reply) =>
      tellProgress(contextOf(request, reply, services, LIMIT_MS), request.params.attempt_id, request.body),
  );
  app.get<{ Params: AttemptParams }>(
    '/v1/users/me/onboarding/:attempt_id',
    {
      config: { protected: true, sessionOnly: true },
      schema: {
        operationId: 'onboardingAttempt',
        tags,
        summary: 'How far an attempt has come',
        params: AttemptParams,
        response: {
          200: AttemptRecord,
          ...errorResponses([
            ...AUTH_CODES,
            'auth_method_not_allowed',
            'rate_limited',
            'state_unavailable',
            'onboarding_attempt_not_found',
          ]),
        },
      },
    },
    (request, reply) => readAttempt(contextOf(request, reply, services, LIMIT_MS), request.params.attempt_id),
  );
}
