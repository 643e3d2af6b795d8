import type { ComponentChildren } from 'preact';
import { wordsOf } from '../api/titles.ts';
import { change } from '../shell/address.ts';

interface Topic {
  readonly name: string;
  readonly fields: readonly string[];
}

/** Chooses the preset that a view is about. @param topics undefined until the catalog is read. */
export function TopicSelect({
  topics,
  preset,
  children,
}: {
  readonly topics: readonly Topic[] | undefined;
  readonly preset: string;
  /** Further options. */
  readonly children?: ComponentChildren;
}) {
  return (
    <label class="field">
      Topic
      <select value={preset} onChange={event => change({ preset: event.currentTarget.value })}>
        {(topics ?? [{ name: preset, fields: [] }]).map(({ name, fields }) => (
          <option key={name} value={name}>
            {wordsOf(name)}
            {fields.length > 0 ? ` · ${fields.length} fields` : ''}
          </option>
        ))}
        {children}
      </select>
    </label>
  );
}
