import { html, type Markup } from '../../http/markup.ts';
import { page, wrong } from './page.ts';
import { PASSWORD_PATH } from './password-page.ts';

/** The page that asks for e-mail address and password. @param action target of the form. */
export const signInPage = (action: string, message: string | null = null, email = ''): string =>
  page(
    'Sign in',
    html`${wrong(message)}
<form method="post" action="${action}">
<label>E-mail address<input type="email" name="email" value="${email}" autocomplete="username" required maxlength="254" autofocus></label>
<label>Password<input type="password" name="password" autocomplete="current-password" required maxlength="128"></label>
<p><button type="submit">Sign in</button> <button class="second" type="submit" name="cancel" value="yes" formnovalidate>Cancel</button></p>
</form>
<p><a href="${PASSWORD_PATH}">Make an account, or choose a new password</a></p>`,
  );

/**
 * The page that asks whether a client may act for the user.
 * @param client the name that the client gives itself, which nobody has checked.
 * @param scopes what it asks for, one line each.
 * @param about `documented` is the URL that confirms its name, `returnsTo` the place that the browser goes to next, of
 * which the host stands out: nobody can choose it as they like.
 */
export const consentPage = (
  action: string,
  client: string,
  scopes: readonly string[],
  about: { readonly documented?: string; readonly returnsTo: URL },
): string =>
  page(
    'Allow access',
    html`<p>“${client}” asks for:</p>
<ul>${scopes.map(line => html`<li>${line}</li>`)}</ul>
<p>${about.documented === undefined ? 'Nobody has checked its name.' : html`It is described at <code>${about.documented}</code>.`} Your answer goes to <strong>${about.returnsTo.host || about.returnsTo.protocol}</strong>, at <code>${about.returnsTo.href}</code>. Allow it only if you began this.</p>
<form method="post" action="${action}">
<p><button type="submit" name="allow" value="yes">Allow</button> <button class="second" type="submit" name="cancel" value="yes">Refuse</button></p>
</form>`,
  );

/**
 * The page that says who is signed in, and shows the session for use elsewhere. When the explorer began the sign-in,
 * its script takes the session and goes back there, so the page's headers must allow scripts.
 * @param next path of the explorer where the script goes in any case; null for none.
 */
export const signedInPage = (
  email: string,
  session: string,
  { signOut = null, next = null }: { readonly signOut?: string | null; readonly next?: string | null },
): string =>
  page(
    'Signed in',
    html`<p>You are signed in as <strong>${email}</strong>.</p>
<label>Session for <code>Authorization: Bearer</code>, good for an hour<textarea readonly rows="8" name="session"${next === null ? '' : html` data-next="${next}"`}>${session}</textarea></label>
<p><a href="/console">Console</a>${signOut === null ? '' : html` · <a href="${signOut}">Sign out</a>`}</p>
<script src="/signed-in.js" defer></script>`,
  );

/** A page with a message and a link to go on. */
export const notePage = (title: string, message: string, on: Markup = html`<a href="/sign-in">Sign in</a>`): string =>
  page(title, html`<p>${message}</p><p>${on}</p>`);
