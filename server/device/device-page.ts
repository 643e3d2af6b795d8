import { html } from '../http/markup.ts';
import { DEVICE_PATH } from '../provider/clients.ts';
import { page, wrong } from '../provider/pages/page.ts';
import type { PendingDevice } from '../state/agents/device-codes.ts';

/** The page that asks for the code shown on a device. */
export const codePage = (message: string | null = null, typed = ''): string =>
  page(
    'Log a device in',
    html`${wrong(message)}
<form method="get" action="${DEVICE_PATH}">
<label>Code that your device shows<input name="user_code" value="${typed}" autocomplete="off" autocapitalize="characters" spellcheck="false" required maxlength="32" autofocus></label>
<p><button type="submit">Go on</button></p>
</form>`,
  );

/** The page that shows which client asks, and lets the user approve or refuse. */
export const approvalPage = (
  { client, createdAt }: PendingDevice,
  { userCode, email, proof }: { readonly userCode: string; readonly email: string; readonly proof: string },
): string =>
  page(
    'Log a device in',
    html`<p><strong>${client.name}</strong> at ${client.address}, since ${new Date(createdAt).toISOString().slice(0, 16).replace('T', ' ')} UTC, asks for an API token of <strong>${email}</strong>: it can do what the account can, for 90 days or until you revoke it.</p>
<p>Allow it only if you began this yourself and your device shows</p>
<p><code>${userCode}</code></p>
<form method="post" action="${DEVICE_PATH}">
<input type="hidden" name="user_code" value="${userCode}">
<input type="hidden" name="proof" value="${proof}">
<p><button type="submit" name="allow" value="yes">Allow</button> <button class="second" type="submit" name="cancel" value="yes">Refuse</button></p>
</form>`,
  );
