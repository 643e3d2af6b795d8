import type { Citations } from './citations.ts';

/** The number of a citation. */
export function Cite({ number }: { readonly number: number | null }) {
  return number === null ? null : <sup>{number}</sup>;
}

/** Whom a report cites, and what it is not. */
export function Sources({ citations, release }: { readonly citations: Citations; readonly release: string | null }) {
  return (
    <section aria-label="Sources" class="report-sources">
      <h2>Sources</h2>
      <ol>
        {citations.all.map(({ publisher, url, date }, i) => (
          <li key={i}>
            {publisher}
            {date === null ? '' : `, ${date}`}
            {url !== null && (
              <>
                {', '}
                <a href={url} target="_blank" rel="noreferrer noopener">
                  {url.replace(/^https?:\/\//, '')}
                </a>
              </>
            )}
          </li>
        ))}
      </ol>
      <p class="note">
        From public data as it was published{release ? `, release ${release}` : ''}. No survey, appraisal or legal
        advice; what a verdict rests on settles it.
      </p>
    </section>
  );
}
