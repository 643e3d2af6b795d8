import { html } from '../../http/markup.ts';
import { PASSWORD_LENGTH } from '../password.ts';
import { page, wrong } from './page.ts';

export const PASSWORD_PATH = '/password';
export const NEW_PASSWORD_PATH = `${PASSWORD_PATH}/new`;
/** Where the button of tokensLeftPage leads. */
export const END_TOKENS_PATH = `${PASSWORD_PATH}/tokens`;

/** The page that asks for the address to send a link to. */
export const askAddressPage = (message: string | null = null, email = ''): string =>
  page(
    'Choose a password',
    html`${wrong(message)}
<p>For a new account, or when you forgot your password: we send you a link.</p>
<form method="post" action="${PASSWORD_PATH}">
<label>E-mail address<input type="email" name="email" value="${email}" autocomplete="username" required maxlength="254" autofocus></label>
<p><button type="submit">Send the link</button></p>
</form>`,
  );

/** The page that asks for the new password of an address. */
export const newPasswordPage = (email: string, code: string, message: string | null = null): string =>
  page(
    'Choose a password',
    html`${wrong(message)}
<form method="post" action="${NEW_PASSWORD_PATH}">
<input type="hidden" name="code" value="${code}">
<label>E-mail address<input type="email" value="${email}" autocomplete="username" readonly></label>
<label>New password, at least ${PASSWORD_LENGTH.least} characters<input type="password" name="password" autocomplete="new-password" required minlength="${PASSWORD_LENGTH.least}" maxlength="${PASSWORD_LENGTH.most}" autofocus></label>
<p><button type="submit">Set the password</button></p>
</form>`,
  );

/** The page after a new password that says what still opens the account. @param on where the console is. */
export const tokensLeftPage = (count: number, proof: string, on: string): string =>
  page(
    'Your password is set',
    html`<p>All sessions and agents were signed out. <strong>${count === 1 ? 'One API token or device' : `${count} API tokens and devices`}</strong> still ${count === 1 ? 'works' : 'work'}, because programs may need ${count === 1 ? 'it' : 'them'}.</p>
<p>If somebody else may have ${count === 1 ? 'it' : 'one of them'}, end ${count === 1 ? 'it' : 'them'} now. Your programs then need new ones.</p>
<form method="post" action="${END_TOKENS_PATH}">
<input type="hidden" name="proof" value="${proof}">
<p><button type="submit">End all tokens and devices</button></p>
</form>
<p><a href="${on}">Keep them and go to the console</a></p>`,
  );
