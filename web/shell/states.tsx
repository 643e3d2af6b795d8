import type { ComponentChildren } from 'preact';
import type { ApiError } from '../api/request.ts';
import { openConnect } from './connect.tsx';

/** What is shown before anything was asked. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

/** Lines where an answer will stand. */
export function Waiting({ what }: { readonly what: string }) {
  return (
    <div class="waiting" role="status">
      <span class="visually-hidden">{what}</span>
      <div class="bone wide" />
      <div class="bone" />
      <div class="bone" />
      <div class="bone short" />
    </div>
  );
}

/** An error in the server's words, and what can be done. */
export function Failed({ error, again }: { readonly error: ApiError; readonly again?: () => void }) {
  const needsToken = error.status === 401;
  return (
    <div class="failed" role="alert">
      <p>
        {error.code === 'auth_missing'
          ? 'Answers need a token. Connect to the service, and this goes on by itself.'
          : error.message}
      </p>
      {!needsToken && error.issues.length > 0 && (
        <ul>
          {error.issues.map(({ path, description, hint }) => (
            <li key={path + description}>
              {path !== '' && <code>{path}</code>} {description} {hint}
            </li>
          ))}
        </ul>
      )}
      <div class="row">
        {needsToken ? (
          <button type="button" class="primary" onClick={openConnect}>
            Connect
          </button>
        ) : (
          again && (
            <button type="button" onClick={again}>
              Try again
            </button>
          )
        )}
        {!needsToken && <code class="code-name">{error.code}</code>}
      </div>
    </div>
  );
}
