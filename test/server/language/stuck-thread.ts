import type { Delivery, Outcome } from '../../../server/language/queue.ts';

/** Answers a question with itself, unless it asks for something worse. */
export default function answer({ input }: Delivery): Outcome {
  if (input === 'never end') for (;;);
  if (input === 'end the thread') process.exit(3);
  if (input === 'fail') return { error: 'TypeError: unforeseen' };
  return { output: input };
}
