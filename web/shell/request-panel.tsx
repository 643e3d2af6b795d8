import { useState } from 'preact/hooks';
import type { ApiRequest } from '../api/api-request.ts';
import { snippetsOf } from '../api/snippets.ts';

/** The request that a view made, as curl, Python and TypeScript. */
export function RequestPanel({ request }: { readonly request: ApiRequest | null }) {
  const [language, setLanguage] = useState('curl');
  const [copied, setCopied] = useState(false);
  if (!request) return null;
  const snippets = snippetsOf(request, location.origin);
  const { text } = snippets.find(snippet => snippet.language === language)!;
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <details class="request">
      <summary>
        <span class="method">{request.method}</span> <code>{request.path}</code>
        <span class="request-hint">the request behind this</span>
      </summary>
      <div class="request-bar">
        <fieldset class="segments">
          <legend class="visually-hidden">Language</legend>
          {snippets.map(snippet => (
            <button
              key={snippet.language}
              type="button"
              aria-pressed={snippet.language === language}
              onClick={() => setLanguage(snippet.language)}
            >
              {snippet.language}
            </button>
          ))}
        </fieldset>
        <button type="button" class="small" onClick={copy}>
          {copied ? 'Copied' : 'Copy'}
        </button>
        <span class="visually-hidden" role="status">
          {copied ? 'Copied to the clipboard' : ''}
        </span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
    </details>
  );
}
