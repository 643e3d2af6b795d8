/** Whose work it is. */
export interface LanguageTerms {
  /** Accounts are served in turn. */
  readonly account?: string | undefined;
  /** Aborts when nobody waits for the output any more. */
  readonly signal: AbortSignal;
  /**
   * Memory of the input that changes hands instead of being copied: nobody else may read it afterwards. It is still there when the
   * work was refused before it began.
   */
  readonly transfer?: readonly ArrayBuffer[];
}

/**
 * Work on plain language: a pure function of the catalog and of an input, which takes up to a tenth of a second. Who asks for it
 * names it by this and does not import the function, which `server/language-thread/works.ts` names.
 */
export interface LanguageWork<I, O> {
  readonly name: string;
  /** Says of what to what, and is never there. */
  readonly does?: (input: I) => O;
}

/** Names a work. */
export const languageWork = <I, O>(name: string): LanguageWork<I, O> => ({ name });

/** Reads and writes plain language in threads of its own: nothing of it may keep the serving thread busy. */
export interface Language {
  /**
   * Has a work done.
   * @throws ServiceError ask_busy when too many wait, worker_stopped when the thread ended that had begun with it; AbortError
   * when the signal aborts, which ends the work too.
   */
  have<I, O>(work: LanguageWork<I, O>, input: I, terms: LanguageTerms): Promise<O>;
}
