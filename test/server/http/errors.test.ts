import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ERRORS, type ErrorKind, exampleOf, renderErrors, ServiceError } from '../../../server/errors/registry.ts';

const server = new URL('../../../server/', import.meta.url);
const sources = readdirSync(server, { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.ts') && name !== 'errors/registry.ts')
  .map(name => ({ name, text: readFileSync(new URL(name, server), 'utf8') }));
const kinds = Object.entries(ERRORS) as [keyof typeof ERRORS, ErrorKind][];

describe('the registry of error codes', () => {
  it('holds every code that is raised, and no other', () => {
    const raised = new Set(
      sources.flatMap(({ text }) =>
        [...text.matchAll(/(?:new ServiceError|super)\(\s*'(\w+)'/g)].map(match => match[1]!),
      ),
    );
    expect([...raised].sort()).toEqual(Object.keys(ERRORS).sort());
  });

  it('is the only way to raise one: codes are written as literals', () => {
    for (const { name, text } of sources)
      for (const [call] of text.matchAll(/new ServiceError\([^)]*/g))
        expect(call, name).toMatch(/^new ServiceError\(\s*'\w+'/);
  });

  it('has the compiler require of whoever raises a code what its message names', () => {
    // @ts-expect-error: nothing is given.
    expect(new ServiceError('rate_limited').message).toMatch(/^: /);
    // @ts-expect-error: another name is given.
    expect(new ServiceError('rate_limited', { limit: 10 }).message).toMatch(/^: /);
    // @ts-expect-error: one of two is given.
    expect(new ServiceError('fields_too_many', { max: 50 }).message).toContain('50');
    // @ts-expect-error: its message names nothing.
    expect(new ServiceError('not_found', { path: '/x' }).message).not.toContain('/x');
    expect(new ServiceError('rate_limited', { what: 'Too much' }).message).toMatch(/^Too much: /);
  });

  it('tells the codes of the interface from its own', () => {
    const own = kinds.filter(([, kind]) => kind.origin === 'plat').map(([code]) => code);
    expect(own.sort()).toEqual([
      'access_denied',
      'answer_not_found',
      'area_too_large',
      'authorization_pending',
      'body_too_large',
      'changes_cursor_invalid',
      'changes_unavailable',
      'connect_code_expired',
      'connect_code_not_found',
      'connect_code_used',
      'correction_not_found',
      'corrections_limited',
      'device_login_unavailable',
      'device_logins_limited',
      'expired_token',
      'export_failed',
      'export_interrupted',
      'export_not_found',
      'export_not_ready',
      'export_outdated',
      'field_request_ended',
      'field_requests_limited',
      'grant_not_found',
      'groups_too_many',
      'headers_too_large',
      'list_cursor_invalid',
      'location_failed',
      'malformed_request',
      'method_not_allowed',
      'not_acceptable',
      'not_found',
      'not_ready',
      'ogc_invalid_request',
      'ogc_not_found',
      'ogc_unavailable',
      'onboarding_attempt_not_found',
      'operator_only',
      'owner_not_found',
      'parcel_not_found',
      'range_unsatisfiable',
      'receipt_not_found',
      'release_not_kept',
      'request_timeout',
      'scope_insufficient',
      'sign_in_unavailable',
      'site_failed',
      'site_not_ready',
      'sites_busy',
      'slow_down',
      'state_unavailable',
      'suggest_unavailable',
      'template_not_found',
      'templates_too_many',
      'terms_outdated',
      'tile_not_found',
      'tile_unavailable',
      'token_budget_exhausted',
      'token_not_active',
      'token_not_found',
      'token_not_recoverable',
      'tokens_too_many',
      'unsupported_media_type',
      'upload_invalid',
      'upload_not_found',
      'upload_too_large',
      'upload_type_unsupported',
      'watch_not_found',
      'watches_too_many',
      'worker_stopped',
    ]);
  });

  it.each(kinds)('%s has a Retry-After exactly when it can be retried', (_, kind) => {
    // A code that can be retried at times says so in its context.
    const atTimes = kind.exampleContext?.retryable === true;
    expect(kind.retryAfter !== undefined).toBe(kind.retryable || atTimes);
    expect(kind.status).toBeGreaterThanOrEqual(400);
    expect(kind.meaning).toMatch(/\.$/);
  });

  it.each(kinds)('%s has an example that fills every placeholder of its message', (code, kind) => {
    const names = [...kind.message.matchAll(/\{(\w+)\}/g)].map(match => match[1]!);
    expect(Object.keys(kind.example ?? {}).sort()).toEqual(names.sort());
    expect(exampleOf(code).detail.message).not.toMatch(/[{}]/);
  });

  it('fills placeholders and keeps context beside the three fixed keys', () => {
    const error = new ServiceError('fields_too_many', { requested: 51, max: 50 }, { max: 50, requested: 51 });
    expect(error.body).toEqual({
      detail: {
        error: 'fields_too_many',
        message: '51 fields were requested and at most 50 are answered at once: split the request.',
        retryable: false,
        max: 50,
        requested: 51,
      },
    });
  });

  it('is what docs/errors.md says', () => {
    const text = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8');
    expect(text).toBe(renderErrors());
    for (const [code] of kinds) expect(text).toContain(`| \`${code}\` |`);
  });
});
