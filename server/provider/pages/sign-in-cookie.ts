import type { FastifyReply, FastifyRequest } from 'fastify';
import { BACK_PATH } from '../clients.ts';
import type { EmbeddedProvider } from '../embedded.ts';

const COOKIE = 'plat_sign_in';
const COOKIE_MS = 60 * 60 * 1000;

/**
 * A signed cookie for the time of a sign-in. Over https its prefix has browsers take it from this host alone, and
 * encrypted; that needs the path of the whole host. Otherwise the browser sends it to BACK_PATH only.
 */
export async function signInCookie(embedded: EmbeddedProvider, request: FastifyRequest, reply: FastifyReply) {
  const { provider } = await embedded.openid();
  const { cookies } = provider.createContext(request.raw, reply.raw);
  cookies.secure = embedded.issuer.startsWith('https:');
  const name = cookies.secure ? `__Host-${COOKIE}` : COOKIE;
  const path = cookies.secure ? '/' : BACK_PATH;
  const terms = { httpOnly: true, sameSite: 'lax', path, overwrite: true } as const;
  return {
    read: (): string[] => cookies.get(name, { signed: true })?.split('.') ?? [],
    write: (parts: readonly string[] | null) =>
      cookies.set(name, parts?.join('.') ?? null, { ...terms, maxAge: COOKIE_MS }),
  };
}
