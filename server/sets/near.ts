import type { Geometry } from '../../datasets/geometry.ts';
import { areaTest } from '../../query/search/request/filter.ts';
import { isArea, type SetFilter } from '../../query/sets/set-filter.ts';
import { isObject } from '../search/body-reader.ts';
import { IssueList } from '../search/issue-list.ts';
import { AreaBody, type AreaQuestion } from './area-body.ts';

/** Stands for an area until all else is judged: nothing is looked up or driven for a body that is refused. */
const STAND_IN = {
  type: 'Polygon',
  coordinates: [
    [
      [0, 0],
      [1, 0],
      [0, 1],
      [0, 0],
    ],
  ],
};

/** The filters `near` of a body: areas that are still to be made. */
export class NearFilters {
  readonly issues = new IssueList();
  /** The body with areas in the place of them. */
  readonly body: unknown;
  /** By the path of the area. */
  readonly #questions = new Map<string, AreaQuestion>();

  /** @param maxVertices of the shape of each. */
  constructor(body: unknown, maxVertices: number) {
    this.body = body;
    const given = isObject(body) ? body.filters : null;
    if (!isObject(body) || !Array.isArray(given)) return;
    const reader = new AreaBody(this.issues, maxVertices);
    const filters = given.map((filter: unknown, i) => {
      if (!isObject(filter) || !Object.hasOwn(filter, 'near') || Object.keys(filter).length !== 1) return filter;
      const question = reader.read(filter.near, `filters[${i}].near`);
      if (question) this.#questions.set(`filters[${i}].value`, question);
      return { field: 'geometry', op: 'intersects', value: STAND_IN };
    });
    if (filters.some((filter, i) => filter !== given[i])) this.body = { ...body, filters };
  }

  /** Filters with the areas that are meant, one made after the other. @throws what `make` throws. */
  async resolve(
    filters: readonly SetFilter[],
    make: (question: AreaQuestion) => Promise<Geometry>,
  ): Promise<SetFilter[]> {
    const out: SetFilter[] = [];
    for (const filter of filters) {
      const question = isArea(filter) ? this.#questions.get(filter.path) : undefined;
      out.push(question ? areaTest('intersects', await make(question), question.path) : filter);
    }
    return out;
  }
}
