import type { ComponentChildren } from 'preact';
import type { Catalog } from '../api/catalog.ts';
import { isHere } from '../api/field.ts';
import { wordsOf } from '../api/titles.ts';
import { change } from '../shell/address.ts';

interface Topic {
  readonly name: string;
  readonly fields: readonly string[];
}

const answeredBy = ({ fields }: Topic, catalog: Catalog): number =>
  fields.filter(name => {
    const meta = catalog.fields.get(name);
    return meta !== undefined && isHere(meta);
  }).length;

/**
 * The topic that a view begins with: the one that most people come for where the release decides something of it, else the first of
 * which it does, else the one of which it answers most.
 */
export function firstTopic(catalog: Catalog, wanted: string): string {
  const decides = ({ fields }: Topic) =>
    fields.some(name => {
      const meta = catalog.fields.get(name);
      return meta !== undefined && meta.verdict !== null && isHere(meta);
    });
  const { presets } = catalog;
  const [most] = presets.toSorted((a, b) => answeredBy(b, catalog) - answeredBy(a, catalog));
  return [...presets.filter(({ name }) => name === wanted), ...presets].find(decides)?.name ?? most?.name ?? wanted;
}

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
