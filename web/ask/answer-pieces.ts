/** A sentence of an answer, and the fields whose records it rests on: none for what is said beside them. */
interface AnswerPiece {
  readonly text: string;
  readonly fields: readonly string[];
}

/**
 * An answer in pieces: the sentences that cite records, and what stands between and behind them, such as what no field
 * answers. All of the answer is shown, whatever cites nothing too.
 * @param sentences that cite, in the order in which the answer has them.
 */
export function answerPieces(answer: string, sentences: readonly AnswerPiece[] = []): AnswerPiece[] {
  const pieces: AnswerPiece[] = [];
  let rest = answer;
  const tell = (text: string) => {
    if (text.trim() !== '') pieces.push({ text: text.trim(), fields: [] });
  };
  for (const sentence of sentences) {
    const at = rest.indexOf(sentence.text);
    if (at < 0) continue;
    tell(rest.slice(0, at));
    pieces.push(sentence);
    rest = rest.slice(at + sentence.text.length);
  }
  tell(rest);
  return pieces;
}

/** The fields that an answer rests on in the order in which it first cites them, then those that it does not cite. */
export function inOrder(used: readonly string[], pieces: readonly AnswerPiece[]): string[] {
  const cited = pieces.flatMap(({ fields }) => fields).filter(name => used.includes(name));
  return [...new Set([...cited, ...used])];
}
