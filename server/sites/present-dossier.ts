import { OWNER_FIELD } from '../../datasets/parcel/owner-columns.ts';
import { correctionsOf } from '../../query/release/corrections/correction-list.ts';
import type { Ctx } from '../context.ts';
import { toRecord } from '../fetch/record.ts';
import type { FieldRecord } from '../fetch/schema.ts';
import type { Dossier } from './dossier.ts';

type DossierContext = Pick<Ctx, 'engine' | 'catalog' | 'home' | 'deadline' | 'signal' | 'account'>;

/** Whether a record tells a correction, or that its value is withheld: later lists may say otherwise. */
const isListed = ({ source, notes }: FieldRecord): boolean =>
  source.startsWith('correction:') || /withheld at its owner/i.test(String(notes ?? ''));

/** Names whose records go by the lists of what is corrected and withheld, and not by the release alone. */
function namesByLists(
  { engine, home }: Pick<Ctx, 'engine' | 'home'>,
  { records, built_at }: Pick<Dossier, 'records' | 'built_at'>,
  isCurrent: boolean,
): readonly string[] {
  const names = new Set(Object.keys(records).filter(name => isListed(records[name]!)));
  if (Date.parse(built_at) <= engine.withheldSince()) names.add(OWNER_FIELD);
  // An earlier release is told as it was published, without corrections: what was told of it stays.
  for (const name of isCurrent ? correctionsOf({ home }).fields.keys() : []) names.add(name);
  return [...names].filter(name => Object.hasOwn(records, name));
}

/** A record without its owner, where nobody can say any more whether the name may be told. */
const ownerless = (record: Dossier['records'][string]): Dossier['records'][string] => ({
  ...record,
  value: null,
  status: 'absent',
  notes: 'the release of this dossier is kept no more, so whether its owner is withheld cannot be told',
});

/**
 * The stored dossier of a site as it is told now: a site is screened once in a release, and values are corrected and owners withheld
 * after that. Records that go by those lists are answered anew from the dossier's own release.
 * @param text JSON of a dossier. @returns the same text where no list says anything of it.
 * @throws AbortError, EngineBusy as the engine does.
 */
export async function presentDossier(ctx: DossierContext, text: string): Promise<string> {
  const { engine, catalog, deadline, signal, account } = ctx;
  const dossier = JSON.parse(text) as Dossier;
  const { release, records, analysis_point: point } = dossier;
  if (!records || release === null) return text;
  const isCurrent = release === engine.status().release;
  const names = namesByLists(ctx, dossier, isCurrent).filter(name => catalog.fields.has(name));
  if (names.length === 0) return text;
  const told = { ...records };
  if (isCurrent || engine.keptReleases().includes(release)) {
    const answers = await engine.fetch(names, point, { deadline, signal, account: account?.id, release });
    for (const field of names) {
      const record = toRecord(catalog.fields.get(field)!, answers[field]!);
      told[field] = { field, ...record, area: records[field]!.area };
    }
  } else if (names.includes(OWNER_FIELD)) told[OWNER_FIELD] = ownerless(told[OWNER_FIELD]!);
  return JSON.stringify({ ...dossier, records: told });
}
