import Type, { type TSchema } from 'typebox';
import Value from 'typebox/value';
import { PARTS } from '../../datasets/place/place-definition.ts';
import { Misfit } from '../steps/value.ts';
import type { Path } from './source.ts';

/** A problem of a place file: its position, and what was expected. */
export interface Problem {
  readonly path: Path;
  /** True if the key itself is wrong (unknown, misspelt), not its value. */
  readonly onKey: boolean;
  readonly message: string;
}

/** Parts that others refer to. They are checked separately, by the branch that the written value chooses. */
const LATER = Object.fromEntries(Object.keys(PARTS).map(name => [name, Type.Unknown()]));

/** Returns the alternatives of a union as text; null if that would not help. */
function alternatives(schema: TSchema, schemaPath: string): string | null {
  const at = pointer(schemaPath).reduce<unknown>((v, key) => (v as Record<string | number, unknown>)?.[key], schema);
  const words = ((at as { anyOf?: TSchema[] } | undefined)?.anyOf ?? []).map(branch => {
    const { const: value, enum: values, type } = branch as { const?: unknown; enum?: unknown[]; type?: string };
    if (value !== undefined) return shown(value);
    return values
      ? values.map(shown).join(', ')
      : ({ string: 'text', array: 'a list', object: 'a map' }[type!] ?? type);
  });
  return words.length > 0 && words.every(word => word !== undefined) ? words.join(' or ') : null;
}

/** Returns a value as text for a message. */
export const shown = (value: unknown) => JSON.stringify(value) ?? 'nothing';
const pointer = (text: string): Path =>
  text
    .split('/')
    .slice(1)
    .map(s => s.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map(s => (/^\d+$/.test(s) ? Number(s) : s));

function read(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((v, key) => (v as Record<string | number, unknown> | undefined)?.[key], value);
}

/** Collects the problems of a place file. */
export class Checker {
  readonly problems: Problem[] = [];

  add(path: Path, message: string, onKey = false): void {
    this.problems.push({ path, message, onKey });
  }

  /** Checks a value against a schema and adds its problems. @returns whether the value has the shape. */
  shape(schema: TSchema, value: unknown, path: Path): boolean {
    const before = this.problems.length;
    const keys = Object.keys((schema as { properties?: object }).properties ?? {});
    const unions = new Set<string>();
    for (const error of Value.Errors(LATER, schema, value)) {
      const at = [...path, ...pointer(error.instancePath)];
      const params = error.params as Record<string, unknown>;
      const found = shown(read(value, pointer(error.instancePath)));
      if (error.schemaPath.includes('/anyOf/') || error.keyword === 'boolean') continue;
      if (error.keyword === 'required')
        for (const name of params.requiredProperties as string[]) this.add(at, `"${name}" is missing`);
      else if (error.keyword === 'additionalProperties')
        for (const name of params.additionalProperties as string[])
          this.add(
            [...at, name],
            `unknown key "${name}"${at.length === path.length ? `; known: ${keys.join(', ')}` : ''}`,
            true,
          );
      else if (error.keyword === 'anyOf') {
        const expected = alternatives(schema, error.schemaPath);
        if (!unions.has(error.instancePath))
          this.add(at, `${found} is none of the values allowed here${expected ? `: ${expected}` : ''}`);
        unions.add(error.instancePath);
      } else if (error.keyword === 'enum')
        this.add(at, `${found} is none of ${(params.allowedValues as unknown[]).join(', ')}`);
      else this.add(at, `${found} ${error.message}`);
    }
    return this.problems.length === before;
  }

  /** Runs an action and adds a problem if it throws. */
  attempt(path: Path, action: () => void): void {
    try {
      action();
    } catch (error) {
      if (!(error instanceof SyntaxError || error instanceof Misfit || error instanceof RangeError)) throw error;
      this.add(path, error.message);
    }
  }
}
