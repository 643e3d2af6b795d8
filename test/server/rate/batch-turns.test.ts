import { expect, it } from 'vitest';
import { BatchTurns } from '../../../server/batch-turns.ts';
import type { Lease } from '../../../server/lease/lease.ts';

const looped = () => new Promise(resolve => setImmediate(resolve));

it('so many batches of an account go on at once, the others in the order they came; those who go away lose their place', async () => {
  const turns = new BatchTurns(2);
  const began: string[] = [];
  const going: Lease[] = [];
  const end = (name: string) => going[began.indexOf(name)]!.release();
  const take = async (owner: string, name: string, signal = new AbortController().signal) => {
    const turn = await turns.take(owner, signal);
    going.push(turn);
    began.push(name);
  };
  const gone = new AbortController();
  const [a, b] = [take('noisy', 'a'), take('noisy', 'b')];
  const left = take('noisy', 'left', gone.signal);
  const [c, d] = [take('noisy', 'c'), take('noisy', 'd')];
  const quiet = take('quiet', 'quiet');
  await looped();
  expect(began).toEqual(['a', 'b', 'quiet']);
  gone.abort();
  await expect(left).rejects.toThrow(/aborted/);
  end('a');
  await looped();
  expect(began).toEqual(['a', 'b', 'quiet', 'c']);
  end('b');
  end('c');
  end('quiet');
  await Promise.all([a, b, c, d, quiet]);
  expect(began).toEqual(['a', 'b', 'quiet', 'c', 'd']);
  end('d');
  // All have left: two may begin again, and one who has gone may not.
  await Promise.all([take('noisy', 'e'), take('noisy', 'f')]);
  await expect(turns.take('other', gone.signal)).rejects.toThrow(/aborted/);
});
