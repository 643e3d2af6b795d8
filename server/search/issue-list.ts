import type { Issue } from '../../query/search/request/issue.ts';
import { MAX_ISSUES, MAX_NAMES } from '../http/shape.ts';

/** What is wrong with a body: all wrong names up to a thousand, and so many other faults. */
export class IssueList {
  readonly all: Issue[] = [];
  #names = 0;
  /** Whether there are more than are listed. */
  more = false;

  say(path: string, description: string, hint: string): void {
    if (this.all.length - this.#names === MAX_ISSUES) this.more = true;
    else this.all.push({ path, description, hint });
  }

  /** Reports a name that cannot be used. */
  sayName(path: string, description: string, hint: string): void {
    if (this.#names === MAX_NAMES) {
      this.more = true;
      return;
    }
    this.#names++;
    this.all.push({ path, description, hint });
  }
}
