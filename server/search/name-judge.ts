import type { Catalog } from '../../datasets/catalog.ts';
import { ENRICH_ONLY, type EnrichOnlyName } from '../../datasets/enrich/enrich-only.ts';
import { SITING_COLUMNS } from '../../datasets/siting-columns.ts';
import type { Engine } from '../../query/engine/engine-interface.ts';
import { MOST_ADVISED } from '../../query/format/name/nearest-names.ts';
import { durationOf, type OverlayProgress } from '../../query/release/overlay-progress.ts';
import { judgeName } from '../../query/search/request/name.ts';
import { filterNames, outputNames } from '../../query/search/request/surface.ts';
import { endpointsOf, nearestFields } from '../errors/name-advice.ts';
import type { IssueList } from './issue-list.ts';

/** The part of an engine that says by which names parcels can be searched, why not by others, and how far new ones are computed. */
export interface SearchableRelease extends Pick<Engine, 'parcelColumns' | 'overlayProgress'> {
  availability(): Pick<ReturnType<Engine['availability']>, 'lackOf'>;
}

/** Judges the names of one body against a catalog and the open release. */
export class NameJudge {
  readonly #catalog: Catalog;
  readonly #columns: ReadonlySet<string>;
  readonly #engine: SearchableRelease;
  readonly #issues: IssueList;
  readonly #ofSets: boolean;
  /** The nearest names of the first wrong ones. */
  readonly #advice = new Map<string, string>();
  /** Read at most once for a body, when it is needed. */
  #progress: { readonly now: OverlayProgress | null } | null = null;

  /** @param issues gets what is wrong. @param ofSets whether names are taken that sets of parcels have beside those of a search. */
  constructor(catalog: Catalog, engine: SearchableRelease, issues: IssueList, ofSets = false) {
    this.#catalog = catalog;
    this.#columns = engine.parcelColumns();
    this.#engine = engine;
    this.#issues = issues;
    this.#ofSets = ofSets;
  }

  /** The names most like one that cannot be used, as the beginning of a hint; it says which the release lacks, or has not calculated. */
  #nearest(name: string, role: 'filter' | 'output'): string {
    const key = `${role} ${name}`;
    const text = this.#advice.get(key);
    if (text !== undefined || this.#advice.size === MOST_ADVISED) return text ?? '';
    const names = role === 'filter' ? filterNames(this.#catalog) : outputNames(this.#catalog);
    const nearest = nearestFields(this.#catalog, name, names).map(one => {
      const isBuilt = judgeName(this.#catalog, this.#columns, one, role).status !== 'not_built';
      const lacks = this.#engine.availability().lackOf(one) !== null;
      return `\`${one}\`${lacks ? ' (not in this release)' : isBuilt ? '' : ' (not calculated yet)'}`;
    });
    const advice = nearest.length > 0 ? `Nearest: ${nearest.join(', ')}. ` : '';
    this.#advice.set(key, advice);
    return advice;
  }

  /** Returns the kind of a name that can be used. Otherwise reports an issue and returns null. */
  judge(name: string, path: string, role: 'filter' | 'output') {
    if (SITING_COLUMNS.has(name)) return this.#judgeSiting(name, path);
    if (this.#ofSets && role === 'filter' && Object.hasOwn(ENRICH_ONLY, name)) return this.#judgeOnly(name, path);
    const verdict = judgeName(this.#catalog, this.#columns, name, role);
    switch (verdict.status) {
      case 'usable':
        return verdict.kind;
      case 'not_built':
        this.#sayNotBuilt(name, path);
        return null;
      case 'enrich_only':
        this.#issues.sayName(
          path,
          `\`${name}\` is calculated by enrichment alone: it is ${this.#ofSets ? 'a filter of sets, and no field of them' : 'neither a filter nor a field of a search'}.`,
          `${this.#nearest(name, role)}Send \`enrich\`: true, or ask POST /v1/enrich for it.`,
        );
        return null;
      case 'output_only':
        this.#issues.sayName(
          path,
          `\`${name}\` is an output, no filter.`,
          'Ask for it in `fields`; filter by `geometry`.',
        );
        return null;
      case 'unknown': {
        // Only a name of the catalog is repeated.
        const endpoints = endpointsOf(this.#catalog, name);
        const description =
          endpoints.length > 0
            ? `\`${name}\` is a name of ${endpoints.join(' and ')} alone.`
            : 'The name is not in the search catalog.';
        this.#issues.sayName(path, description, `${this.#nearest(name, role)}GET /v1/meta/fields lists every name.`);
        return null;
      }
    }
  }

  /** What enrichment alone answers is a number, or the JSON text of a list or an object. */
  #judgeOnly(name: string, path: string): 'number' | 'string' | null {
    if (this.#columns.has(name)) return ENRICH_ONLY[name as EnrichOnlyName].type === 'number' ? 'number' : 'string';
    this.#sayNotBuilt(name, path);
    return null;
  }

  #judgeSiting(name: string, path: string): 'number' | null {
    if (this.#ofSets && this.#columns.has(name)) return 'number';
    if (this.#ofSets) this.#sayNotBuilt(name, path);
    else
      this.#issues.sayName(
        path,
        `\`${name}\` is a column of sets alone.`,
        'Send it to POST /v1/search/count, POST /v1/rank or POST /v1/aggregate.',
      );
    return null;
  }

  /** Reports that a field cannot be computed in this release and why, or is not yet, and how long that will take as far as the running calculations show. */
  #sayNotBuilt(name: string, path: string): void {
    this.#progress ??= { now: this.#engine.overlayProgress() };
    const progress = this.#progress.now;
    if (!progress?.fields.includes(name)) {
      const why = this.#engine.availability().lackOf(name) ?? 'it is not calculated yet';
      const hint = 'GET /v1/meta/fields lists the catalog; a later release may hold it.';
      this.#issues.sayName(path, `\`${name}\` has no column for parcels in this release: ${why}.`, hint);
      return;
    }
    const { done, total, perSecond } = progress;
    const hint =
      done >= total
        ? 'Ask again shortly: the values are being written and published.'
        : perSecond > 0
          ? `Ask again in about ${durationOf((total - done) / perSecond)}, at the pace so far; writing and publishing the values comes on top.`
          : 'Ask again later: how long it takes cannot be told before the first parcels are done.';
    this.#issues.sayName(path, `\`${name}\` is being calculated: ${done} of ${total} parcels are done.`, hint);
  }
}
