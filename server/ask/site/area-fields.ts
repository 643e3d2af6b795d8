import type { Catalog } from '../../../datasets/catalog.ts';
import type { AreaStatistics } from '../../../query/evaluate/area/area.ts';
import type { Dossier } from '../../sites/dossier.ts';
import { type RankedField, rankFields } from '../retrieval/retrieval.ts';
import type { SiteClause } from './clause.ts';
import { tells } from './statistic.ts';

/** Fields of a clause that are answered over the whole site, at most. */
const MOST = 2;
/** Fields that are ranked for a clause. */
const RANKED = 40;
/**
 * Least coverage of a clause and least share of the best field's score: a field over the whole site is preferred to a better
 * one of its interior point, more so where it has the statistic that is asked for. A second one must be about as good.
 */
const FIT = { coverage: 0.45, statistic: 0.2, plain: 0.5, also: 0.6 } as const;

/**
 * Fields that answer a clause over the whole site, best first; empty where none does. Fields that say one thing of it are told
 * once.
 */
export function areaFields(catalog: Catalog, { records }: Dossier, { statistic, matter }: SiteClause): string[] {
  const ranked = rankFields(catalog, matter, RANKED);
  const [best] = ranked;
  if (!best) return [];
  const over = ({ name }: RankedField): AreaStatistics | null => {
    const area = records[name]?.area;
    return area?.status === 'ok' ? area.statistics : null;
  };
  const within = (share: number) =>
    ranked.filter(
      one =>
        over(one) !== null &&
        one.score >= share * best.score &&
        one.coverage >= Math.max(FIT.coverage, 0.9 * best.coverage),
    );
  const telling = statistic === null ? [] : within(FIT.statistic).filter(one => tells(over(one)!, statistic));
  // A field that is called what the clause says is not replaced by one that is not.
  const named = (one: RankedField) => one.term >= FIT.also * best.term;
  const fitting = telling.length > 0 ? telling : within(FIT.plain).filter(named);
  // The part that counts as something answers before the parts that are of different kinds.
  const isCovered = (one: RankedField) => Number(statistic === 'share' && over(one)!.kind !== 'covered');
  // Of fields that say one thing of the site, that of the ground itself is told, not that of what lies around a point.
  const isAround = ({ name }: RankedField) =>
    Number(/ within \d|^Mean | of parcel/.test(catalog.fields.get(name)!.title));
  const [first, ...others] = fitting.toSorted((a, b) => isCovered(a) - isCovered(b));
  if (!first) return [];
  const also = others.filter(one => one.score >= FIT.also * first.score && one.term >= FIT.also * first.term);
  const same = Map.groupBy([first, ...also], one => JSON.stringify(over(one)));
  return [...same.values()].slice(0, MOST).map(all => all.toSorted((a, b) => isAround(a) - isAround(b))[0]!.name);
}
