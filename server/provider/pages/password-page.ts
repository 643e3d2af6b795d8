import { html } from '../../http/markup.ts';
import { PASSWORD_LENGTH } from '../password.ts';
import { page, wrong } from './page.ts';

export const PASSWORD_PATH = '/password';
export const NEW_PASSWORD_PATH = `${PASSWORD_PATH}/new`;

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
