import type { FastifyReply, FastifyRequest } from 'fastify';
import Provider, { errors, type InteractionResults } from 'oidc-provider';
import { goneSignal } from '../../http/context.ts';
import { AGENT_TERMS } from '../../scopes.ts';
import type { EmbeddedProvider } from '../embedded.ts';
import { MCP_SCOPE, WRITE_SCOPE } from '../oauth/resource.ts';
import { SIGN_IN_PATH } from '../openid.ts';
import { type SignInServices, signInWithPassword } from '../sign-in.ts';
import { deviceCookie } from './device-cookie.ts';
import type { federatedSignIn } from './federated-sign-in.ts';
import { pageHeaders, sourceOf } from './page.ts';
import { consentPage, notePage, signInPage } from './sign-in-page.ts';

/** Fields of a form. A repeated field counts once. */
export type Form = Readonly<Record<string, string | undefined>>;
const MOST_EMAIL = 254;

type Interaction = InstanceType<Provider['Interaction']>;

/** The meaning of scopes, for the user who is asked to grant them. */
const SCOPES: Readonly<Record<string, string>> = {
  openid: 'to know that it is you',
  email: 'your e-mail address',
  profile: 'your name, of which none is kept here',
  offline_access: 'to go on while you are away',
  [MCP_SCOPE]: `to call the tools of this service in your name, at the cost of up to ${AGENT_TERMS.creditsADay} of your credits a day, until you revoke it`,
  [WRITE_SCOPE]: 'to leave things in your account: runs, sites and requests for fields',
};

/** The scopes that were not granted yet: of OpenID and of resources. */
function missing({ prompt }: Interaction) {
  const {
    missingOIDCScope = [],
    missingOIDCClaims = [],
    missingResourceScopes = {},
  } = prompt.details as {
    missingOIDCScope?: string[];
    missingOIDCClaims?: string[];
    missingResourceScopes?: Record<string, string[]>;
  };
  return { scopes: missingOIDCScope, claims: missingOIDCClaims, resources: Object.entries(missingResourceScopes) };
}

const grantOf = async (provider: Provider, { grantId }: Interaction) =>
  grantId === undefined ? undefined : provider.Grant.find(grantId);

/** The scopes that the client has once it is allowed: those of before, and those that it lacks. */
async function allowedBy(provider: Provider, interaction: Interaction): Promise<ReadonlySet<string>> {
  const grant = await grantOf(provider, interaction);
  const before = [
    grant?.getOIDCScope() ?? '',
    ...Object.keys(grant?.resources ?? {}).map(r => grant!.getResourceScope(r)),
  ];
  const { scopes, resources } = missing(interaction);
  const granted = before.flatMap(scope => scope.split(' ')).filter(scope => scope !== '');
  return new Set([...granted, ...scopes, ...resources.flatMap(([, named]) => named)]);
}

async function granted(provider: Provider, interaction: Interaction): Promise<InteractionResults> {
  const { session, params } = interaction;
  const grant =
    (await grantOf(provider, interaction)) ??
    new provider.Grant({ accountId: session!.accountId, clientId: params.client_id as string });
  const { scopes, claims, resources } = missing(interaction);
  if (scopes.length > 0) grant.addOIDCScope(scopes.join(' '));
  if (claims.length > 0) grant.addOIDCClaims(claims);
  for (const [resource, named] of resources) grant.addResourceScope(resource, named.join(' '));
  return { consent: { grantId: await grant.save() } };
}

/** Whether an authorization forces a new sign-in (OpenID Connect Core 1.0, 3.1.2.1). */
const isAnew = ({ params }: Interaction) =>
  String(params.prompt ?? '')
    .split(' ')
    .includes('login');

/**
 * The pages of an authorization: the user signs in, and allows or refuses the client.
 * @param federated signs people in elsewhere; null asks for an e-mail address and a password here.
 */
export function interactionPages(
  embedded: EmbeddedProvider,
  services: SignInServices,
  federated: ReturnType<typeof federatedSignIn> | null,
) {
  /** The authorization that the browser is in. When there is none, sends a page that says so and returns null. */
  const interactionOf = async (request: FastifyRequest, reply: FastifyReply) => {
    const { provider } = await embedded.openid();
    try {
      const interaction = await provider.interactionDetails(request.raw, reply.raw);
      const action = `${SIGN_IN_PATH}/${interaction.uid}`;
      reply.headers(pageHeaders(sourceOf(interaction.params.redirect_uri)));
      return { provider, interaction, action };
    } catch (error) {
      if (!(error instanceof errors.SessionNotFound)) throw error;
      reply.code(400).headers(pageHeaders());
      reply.send(notePage('Sign in', 'This sign-in is over, or was begun in another browser: begin again.'));
      return null;
    }
  };
  const consent = async (provider: Provider, interaction: Interaction, action: string): Promise<string> => {
    const client = await provider.Client.find(interaction.params.client_id as string);
    const lines = [...(await allowedBy(provider, interaction))].map(scope => SCOPES[scope] ?? scope);
    return consentPage(action, client?.clientName ?? client?.clientId ?? '', lines, {
      ...(client?.clientId?.startsWith('https://') ? { documented: client.clientId } : {}),
      returnsTo: new URL(String(interaction.params.redirect_uri)),
    });
  };
  const pages = {
    async show(request: FastifyRequest, reply: FastifyReply) {
      const found = await interactionOf(request, reply);
      if (!found) return reply;
      const { provider, interaction, action } = found;
      if (federated && interaction.prompt.name === 'login')
        return federated.begin(request, reply, interaction.uid, isAnew(interaction));
      const page =
        interaction.prompt.name === 'login' ? signInPage(action) : await consent(provider, interaction, action);
      return reply.send(page);
    },
    async submit(request: FastifyRequest, reply: FastifyReply) {
      const found = await interactionOf(request, reply);
      if (!found) return reply;
      const { provider, interaction, action } = found;
      const { email = '', password = '', cancel, allow } = request.body as Form;
      const finish = async (result: InteractionResults) => {
        const on = await provider.interactionResult(request.raw, reply.raw, result, { mergeWithLastSubmission: true });
        return reply.redirect(on, 303);
      };
      if (cancel) return finish({ error: 'access_denied', error_description: 'the sign-in was cancelled' });
      if (interaction.prompt.name !== 'login')
        return allow
          ? finish(await granted(provider, interaction))
          : reply.send(await consent(provider, interaction, action));
      if (federated) return federated.begin(request, reply, interaction.uid, isAnew(interaction));
      const browser = await deviceCookie(embedded, services.clock.now(), request, reply);
      const answer =
        email.length <= MOST_EMAIL
          ? await signInWithPassword(services, {
              email,
              password,
              ip: request.ip,
              signal: goneSignal(reply.raw),
              known: browser.idFor,
            })
          : ({ refused: 'wrong' } as const);
      if ('user' in answer) {
        request.log.info({ user: answer.user.id, client: request.ip }, 'somebody signed in with a password');
        browser.keep(answer.user);
        return finish({ login: { accountId: answer.user.id } });
      }
      request.log.warn({ reason: answer.refused, client: request.ip }, 'a sign-in with a password was refused');
      if (answer.refused === 'wrong')
        return reply.code(401).send(signInPage(action, 'This address and password do not belong together.', email));
      const message = `Too many tries from here: wait ${answer.seconds} seconds, or choose a new password, which works at once.`;
      return reply
        .code(429)
        .header('retry-after', answer.seconds)
        .send(signInPage(action, message, email));
    },
  };
  const { within } = embedded.interactions;
  return {
    show: (request: FastifyRequest, reply: FastifyReply) =>
      within({ request, reply }, () => pages.show(request, reply)),
    submit: (request: FastifyRequest, reply: FastifyReply) =>
      within({ request, reply }, () => pages.submit(request, reply)),
  };
}
