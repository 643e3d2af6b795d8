import type { FastifyReply, FastifyRequest } from 'fastify';
import { BACK_PATH } from '../clients.ts';
import type { EmbeddedProvider } from '../embedded.ts';

const COOKIE = 'plat_sign_in';
const COOKIE_MS = 60 * 60 * 1000;

/** A signed cookie for the time of a sign-in. The browser sends it to BACK_PATH only. */
export async function signInCookie(embedded: EmbeddedProvider, request: FastifyRequest, reply: FastifyReply) {
  const { provider } = await embedded.openid();
  const { cookies } = provider.createContext(request.raw, reply.raw);
  cookies.secure = embedded.issuer.startsWith('https:');
  const terms = { httpOnly: true, sameSite: 'lax', path: BACK_PATH, overwrite: true } as const;
  return {
    read: (): string[] => cookies.get(COOKIE, { signed: true })?.split('.') ?? [],
    write: (parts: readonly string[] | null) =>
      cookies.set(COOKIE, parts?.join('.') ?? null, { ...terms, maxAge: COOKIE_MS }),
  };
}
