import type { Geometry } from '../../datasets/geometry.ts';
import {
  Budget,
  COMPARISONS,
  type Comparison,
  CqlError,
  dateOf,
  type Expression,
  RELATIONS,
  type Relation,
  relationTo,
  type Scalar,
  timestampOf,
  turned,
  unknownFunction,
} from './expression.ts';
import { boxShape, shapeOf, typeNamed } from './shape.ts';

type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads the JSON form of CQL2 (OGC 21-065r2, annex A). */
class JsonReader {
  readonly #geometry: string;
  readonly #budget = new Budget();

  constructor(geometry: string) {
    this.#geometry = geometry;
  }

  expression(value: unknown): Expression {
    this.#budget.part();
    if (typeof value === 'boolean') return { kind: 'constant', value };
    const { op, args } = this.#operation(value);
    return this.#budget.deeper(() => this.#expressionOf(op, args));
  }

  #expressionOf(op: string, args: readonly unknown[]): Expression {
    const arg = (index: number) => {
      if (index < args.length) return args[index];
      throw new CqlError(`"${op}" of the filter has too few members in "args".`);
    };
    if (op === 'and' || op === 'or') {
      if (args.length < 2) throw new CqlError(`"${op}" of the filter needs two members in "args" or more.`);
      return { kind: op, all: args.map(each => this.expression(each)) };
    }
    if (op === 'not') return { kind: 'not', of: this.expression(arg(0)) };
    if ((COMPARISONS as readonly string[]).includes(op))
      return { kind: 'comparison', op: op as Comparison, left: this.#scalar(arg(0)), right: this.#scalar(arg(1)) };
    if (op === 'like') return { kind: 'like', of: this.#scalar(arg(0)), pattern: this.#scalar(arg(1)) };
    if (op === 'between')
      return { kind: 'between', of: this.#scalar(arg(0)), low: this.#scalar(arg(1)), high: this.#scalar(arg(2)) };
    if (op === 'isNull') return { kind: 'null', of: this.#scalar(arg(0)) };
    if (op === 'in') {
      const list = arg(1);
      if (!Array.isArray(list) || list.length === 0) throw new CqlError('"in" of the filter needs a list of values.');
      return { kind: 'in', of: this.#scalar(arg(0)), list: list.map(each => this.#scalar(each)) };
    }
    const relation = RELATIONS.find(name => name === op);
    if (relation) return this.#relation(relation, arg(0), arg(1));
    throw unknownFunction(op);
  }

  #operation(value: unknown): { readonly op: string; readonly args: readonly unknown[] } {
    if (isObject(value) && typeof value.op === 'string' && Array.isArray(value.args))
      return { op: value.op, args: value.args };
    throw new CqlError('The filter is no CQL2 JSON: expected {"op": …, "args": […]}.');
  }

  #scalar(value: unknown): Scalar {
    this.#budget.part();
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      return { kind: 'value', value };
    if (isObject(value)) {
      if (typeof value.property === 'string') return { kind: 'property', name: value.property };
      if ('date' in value) return dateOf(value.date);
      if ('timestamp' in value) return timestampOf(value.timestamp);
      const { op, args } = this.#operation(value);
      if (op === 'casei' && args.length === 1)
        return this.#budget.deeper(() => ({ kind: 'caseless', of: this.#scalar(args[0]) }));
      throw unknownFunction(op);
    }
    throw new CqlError('The filter has a value that is neither a text, a number, true or false, nor a property.');
  }

  #relation(op: Relation, first: unknown, second: unknown): Expression {
    const [a, b] = [this.#place(first), this.#place(second)];
    if ((a === null) === (b === null))
      throw new CqlError(`"${op}" compares the property ${this.#geometry} with one geometry of the filter.`);
    return a === null ? relationTo(op, b!) : relationTo(turned(op), a);
  }

  /** A geometry of the filter, or the members of a collection; null: that of the feature. */
  #place(value: unknown): readonly Geometry[] | null {
    this.#budget.part();
    if (isObject(value)) {
      if (value.property === this.#geometry) return null;
      if (Array.isArray(value.bbox)) return [boxShape(value.bbox as number[], this.#budget)];
      const type = typeof value.type === 'string' ? typeNamed(value.type) : null;
      if (type) return [shapeOf(type, value.coordinates, this.#budget)];
      if (value.type === 'GeometryCollection' && Array.isArray(value.geometries) && value.geometries.length > 0) {
        const { geometries } = value;
        const members = this.#budget.deeper(() => geometries.map(each => this.#place(each)));
        if (members.every(member => member !== null)) return members.flat();
      }
    }
    throw new CqlError(
      `The filter needs a geometry there: {"property": "${this.#geometry}"}, {"bbox": […]} or a geometry of GeoJSON.`,
    );
  }
}

/**
 * A filter from the JSON form of CQL2.
 * @param geometry the name by which a filter means the geometry of a feature. @throws CqlError when it is none.
 */
export function readJson(text: string, geometry: string): Expression {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new CqlError('The filter is no JSON; send CQL2 JSON, or filter-lang=cql2-text for the text form.');
  }
  return new JsonReader(geometry).expression(value);
}
