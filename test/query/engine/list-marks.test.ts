import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { ListMarks } from '../../../query/engine/contents/list-marks.ts';
import { correctionsPath } from '../../../query/release/corrections/correction-list.ts';
import { withheldPath } from '../../../query/release/withheld/withheld-list.ts';

it('lists that changed have no mark until every thread has seen them, and then never an earlier one', () => {
  const home = mkdtempSync(join(tmpdir(), 'plat-marks-'));
  const clock = vi.spyOn(performance, 'now').mockReturnValue(10_000);
  const marks = new ListMarks(home);
  const seen = new Set([marks.now()]);
  expect(seen).not.toContain(null);
  const texts = ['{}\n', '', '{}\n{}\n'];
  for (const [i, path] of [correctionsPath(home), withheldPath(home), correctionsPath(home)].entries()) {
    writeFileSync(path, texts[i]!);
    expect(marks.now()).toBeNull();
    clock.mockReturnValue(10_000 + (i + 1) * 1_000);
    const mark = marks.now();
    expect(mark).not.toBeNull();
    expect(seen).not.toContain(mark);
    seen.add(mark);
    expect(marks.now()).toBe(mark);
  }
  clock.mockRestore();
  rmSync(home, { recursive: true });
});
