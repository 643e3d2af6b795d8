import { ReadError, type Row, type Source } from '../reader.ts';

/** Whether `options.member` is a pattern, which several members fit. */
export const isPattern = (member: string | undefined): member is string => member?.includes('*') ?? false;

/** The members that a pattern fits, with or without their folders, in the order of their names. `*` is any part of a name. */
export function membersLike(names: readonly string[], pattern: string): string[] {
  const parts = pattern.split('*').map(part => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
  const fits = new RegExp(`(?:^|/)${parts.join('[^/]*')}$`, 'i');
  return names.filter(name => fits.test(name)).sort();
}

/**
 * Tables of an archive as one: the rows of one after the other, under all columns that any of them has. A table without a column
 * has no value there. Only one is open at a time.
 */
export class UnitedSource implements Source {
  readonly crs: string | null;
  readonly columns: readonly string[];
  readonly count: number | null;
  readonly findings;
  readonly #members: readonly string[];
  readonly #sourceOf: (member: string) => Promise<Source>;
  readonly #release: () => Promise<void>;

  private constructor(
    seen: Pick<Source, 'crs' | 'columns' | 'count'>,
    members: readonly string[],
    sourceOf: (member: string) => Promise<Source>,
    release: () => Promise<void>,
  ) {
    this.crs = seen.crs;
    this.columns = seen.columns;
    this.count = seen.count;
    this.findings = {
      notes: [`${members.length} members of the archive are one table of ${seen.columns.length} columns`],
      capped: null,
      isAnswer: false,
    };
    this.#members = members;
    this.#sourceOf = sourceOf;
    this.#release = release;
  }

  /**
   * Reads the header of each member.
   * @param sourceOf opens a member. @param release is called on close.
   * @throws ReadError where no member fits, or two are in different coordinate systems.
   */
  static async open(
    path: string,
    members: readonly string[],
    sourceOf: (member: string) => Promise<Source>,
    release: () => Promise<void> = async () => {},
  ): Promise<UnitedSource> {
    if (members.length === 0)
      throw new ReadError('part_missing', path, null, 'holds no member that the pattern of options.member fits');
    const columns = new Set<string>();
    let crs: string | null = null;
    let count: number | null = 0;
    for (const member of members) {
      const source = await sourceOf(member);
      await source.close();
      for (const column of source.columns) columns.add(column);
      if (source.crs !== null && crs !== null && source.crs !== crs)
        throw new ReadError(
          'file_corrupt',
          path,
          null,
          `${member} is in ${source.crs}, and those before are in ${crs}`,
        );
      crs ??= source.crs;
      count = count === null || source.count === null ? null : count + source.count;
    }
    return new UnitedSource({ crs, columns: [...columns], count }, members, sourceOf, release);
  }

  async *rows(signal?: AbortSignal): AsyncGenerator<Row[]> {
    let before = 0;
    for (const member of this.#members) {
      const source = await this.#sourceOf(member);
      let last = 0;
      try {
        for await (const batch of source.rows(signal)) {
          last = batch.at(-1)?.number ?? last;
          yield batch.map(row => ({ ...row, number: before + row.number }));
        }
      } finally {
        await source.close();
      }
      before += last;
    }
  }

  close(): Promise<void> {
    return this.#release();
  }
}
