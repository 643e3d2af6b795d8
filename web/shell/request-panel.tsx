import { useRef, useState } from 'preact/hooks';
import type { ApiRequest } from '../api/api-request.ts';
import { snippetsOf } from '../api/snippets.ts';

/** The request that a view made, as curl, Python and TypeScript. */
export function RequestPanel({ request }: { readonly request: ApiRequest | null }) {
  const [language, setLanguage] = useState('curl');
  const [copied, setCopied] = useState(false);
  const details = useRef<HTMLDetailsElement>(null);
  const code = useRef<HTMLElement>(null);
  if (!request) return null;
  const snippets = snippetsOf(request, location.origin);
  const { text } = snippets.find(snippet => snippet.language === language)!;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // A page over http of another machine may not use the clipboard: the text is selected, to be copied by keys.
      details.current!.open = true;
      getSelection()?.selectAllChildren(code.current!);
      return;
    }
    setCopied(true);
    setTimeout(() => setCopied(false), 3_000);
  };
  return (
    <div class="request">
      <details ref={details}>
        <summary>
          For programs
          <span class="request-hint">the request behind this</span>
        </summary>
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
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
        <pre tabIndex={0}>
          <code ref={code}>{text}</code>
        </pre>
      </details>
      <button type="button" class="small copy" onClick={copy}>
        {copied ? 'Copied' : `Copy ${language}`}
      </button>
      <span class="visually-hidden" role="status">
        {copied ? 'Copied to the clipboard' : ''}
      </span>
    </div>
  );
}
