import type { DirectorySource } from './definition.ts';

/** What is stated of the licence of a source. */
export interface Licence {
  /** One line: the name and where the terms stand; `not stated` where nothing is said. */
  readonly text: string;
  /** Whom to name; null where nobody is. */
  readonly attribution: string | null;
  /** Why the data is not open: null where everybody may use it, change it and pass it on. */
  readonly closed: 'share-alike' | 'non-commercial' | 'not stated' | null;
}

const OPEN =
  /public ?domain|^pd\b|pddl|\bcc[ -]?0\b|\bcc[ -]by\b|creativecommons\.org\/(?:publicdomain|licenses\/by\/)|opendatacommons\.org\/licenses\/(?:pddl|by)|odc[ -]by|cdla[ -]permissive|\bmit\b/i;
const SHARE_ALIKE = /\bby(?:-nc)?-sa\b|share[ -]?alike|\bodbl\b|licenses\/odbl/i;
const NON_COMMERCIAL = /\bby-nc\b|non-?commercial/i;

const said = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null;

/**
 * Reads the licence of a source. An address alone says where terms stand, not what they are: it counts as not stated, as does a
 * licence that the directory only presumes.
 */
export function licenceOf({ license, attribution }: Pick<DirectorySource, 'license' | 'attribution'>): Licence {
  const map = typeof license === 'object' ? license : {};
  const plain = typeof license === 'string' && !/^unknown$/i.test(license) ? said(license) : null;
  const text = [plain, said(map.text), said(map.url)].filter(part => part !== null).join(', ');
  const isShared = map['share-alike'] === true || SHARE_ALIKE.test(text);
  const isStated = text !== '' && map.presumed !== true && OPEN.test(text);
  return {
    text: text === '' ? 'not stated' : `${text}${isShared && !SHARE_ALIKE.test(text) ? ' (share-alike)' : ''}`,
    attribution: said(attribution) ?? said(map['attribution name']),
    closed: NON_COMMERCIAL.test(text) ? 'non-commercial' : isShared ? 'share-alike' : isStated ? null : 'not stated',
  };
}
