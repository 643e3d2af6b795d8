/** A pattern of LIKE (OGC 21-065r2, 7.1.2): letters, `_` for any one, `%` for any number of them; `\` takes their meaning away. */
type Sign = { readonly letter: string } | 'one' | 'any';

function signsOf(pattern: string): Sign[] {
  const letters = [...pattern];
  const signs: Sign[] = [];
  for (let i = 0; i < letters.length; i++) {
    const letter = letters[i]!;
    if (letter === '\\' && i + 1 < letters.length) signs.push({ letter: letters[++i]! });
    else if (letter === '_') signs.push('one');
    else if (letter !== '%') signs.push({ letter });
    else if (signs.at(-1) !== 'any') signs.push('any');
  }
  return signs;
}

/**
 * A test of texts against a pattern of LIKE. It goes back to the last `%` alone, so a text takes at most its length times that of
 * the pattern, where an expression of the language could take exponential time.
 */
export function likeTest(pattern: string): (text: string) => boolean {
  const signs = signsOf(pattern);
  return text => {
    const letters = [...text];
    let [sign, letter] = [0, 0];
    let [lastAny, resumed] = [-1, 0];
    while (letter < letters.length) {
      const wanted = signs[sign];
      if (wanted === 'any') {
        lastAny = sign++;
        resumed = letter;
      } else if (wanted === 'one' || (wanted !== undefined && wanted.letter === letters[letter])) {
        sign++;
        letter++;
      } else if (lastAny >= 0) {
        sign = lastAny + 1;
        letter = ++resumed;
      } else return false;
    }
    while (signs[sign] === 'any') sign++;
    return sign === signs.length;
  };
}
