import type { ComponentChildren } from 'preact';
import type { Catalog } from '../api/catalog.ts';
import { wordsOf } from '../api/titles.ts';
import { change } from '../shell/address.ts';
import { answeredBy, type Topic } from './topics.ts';

/** Chooses the preset that a view is about. @param topics undefined until the catalog is read. */
export function TopicSelect({
  topics,
  preset,
  catalog,
  children,
}: {
  readonly topics: readonly Topic[] | undefined;
  readonly preset: string;
  readonly catalog: Catalog | null;
  /** Further options. */
  readonly children?: ComponentChildren;
}) {
  const about = (topic: Topic): string => {
    if (!catalog || topic.fields.length === 0) return '';
    const count = answeredBy(topic, catalog);
    return count === 0 ? ' · nothing here' : ` · ${count} ${count === 1 ? 'value' : 'values'}`;
  };
  return (
    <label class="field">
      Topic
      <select value={preset} onChange={event => change({ preset: event.currentTarget.value })}>
        {(topics ?? [{ name: preset, fields: [] }]).map(topic => (
          <option key={topic.name} value={topic.name}>
            {wordsOf(topic.name)}
            {about(topic)}
          </option>
        ))}
        {children}
      </select>
    </label>
  );
}
