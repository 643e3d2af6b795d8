import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { digestOf } from '../../state/sign-in/digest.ts';
import type { User } from '../../state/sign-in/users.ts';
import type { EmbeddedProvider } from '../embedded.ts';
import { SIGN_IN_PATH } from '../openid.ts';

const COOKIE = 'plat_known';
const LIFETIME_MS = 180 * 24 * 60 * 60 * 1000;
const ID_BYTES = 12;
/** People whom one browser remembers. */
const MOST_PEOPLE = 6;

/** The browser of a request, as far as its cookie says who signed in there before (OWASP, "device cookies"). */
export interface DeviceCookie {
  /** The browser's id for a user, which has attempts of its own; null when the user did not sign in there. */
  idFor(user: User): string | null;
  /** Remembers that a user signed in there. */
  keep(user: User): void;
}

/** A password's mark, so that a new password makes all browsers unknown. */
const markOf = ({ password }: User): string => digestOf(password ?? '').slice(0, 22);

/** The known browser of a request. Its cookie is signed, and is sent with sign-ins only. */
export async function deviceCookie(
  embedded: EmbeddedProvider,
  now: number,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<DeviceCookie> {
  const { provider } = await embedded.openid();
  const { cookies } = provider.createContext(request.raw, reply.raw);
  cookies.secure = embedded.issuer.startsWith('https:');
  const name = cookies.secure ? `__Secure-${COOKIE}` : COOKIE;
  const entries = (cookies.get(name, { signed: true })?.split('~') ?? []).map(entry => {
    const [userId, id, mark, until] = entry.split('.');
    return { userId, id, mark, until: Number(until) };
  });
  const entryOf = (user: User) =>
    entries.find(({ userId, mark, until }) => userId === user.id && mark === markOf(user) && until > now);
  return {
    idFor: user => entryOf(user)?.id ?? null,
    keep(user) {
      const id = entryOf(user)?.id ?? randomBytes(ID_BYTES).toString('base64url');
      const entry = { userId: user.id, id, mark: markOf(user), until: now + LIFETIME_MS };
      const others = entries.filter(({ userId, until }) => userId !== user.id && until > now);
      const text = [entry, ...others]
        .slice(0, MOST_PEOPLE)
        .map(({ userId, id, mark, until }) => [userId, id, mark, until].join('.'))
        .join('~');
      cookies.set(name, text, {
        httpOnly: true,
        sameSite: 'lax',
        path: SIGN_IN_PATH,
        overwrite: true,
        maxAge: LIFETIME_MS,
      });
    },
  };
}
