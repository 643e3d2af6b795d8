import type { ComponentChildren } from 'preact';
import type { ApiError } from '../api/api-error.ts';
import { errorWords, issueWords } from '../api/error-words.ts';
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

/** An error in words for people, and what can be done. */
export function Failed({ error, again }: { readonly error: ApiError; readonly again?: () => void }) {
  const needsToken = error.status === 401;
  const faults = needsToken ? [] : [...new Set(error.issues.map(issueWords))].filter(words => words !== '');
  return (
    <div class="failed" role="alert">
      <p>{errorWords(error)}</p>
      {faults.length > 0 && (
        <ul>
          {faults.map(words => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      )}
      {(needsToken || again) && (
        <div class="row">
          {needsToken ? (
            <button type="button" class="primary" onClick={openConnect}>
              Connect
            </button>
          ) : (
            <button type="button" onClick={again}>
              Try again
            </button>
          )}
        </div>
      )}
    </div>
  );
}
