import { runProgram } from './program.ts';
import { fromText, type LoginStore, toText } from './store.ts';

const PROGRAM = 'security';
const ITEM = 'plat';

/** The keychain of macOS. */
export const keychain: LoginStore = {
  place: 'the keychain',
  async read(service) {
    const text = await runProgram(PROGRAM, ['find-generic-password', '-s', ITEM, '-a', service, '-w']);
    return text === null ? null : fromText(Buffer.from(text.trim(), 'base64').toString('utf8'));
  },
  async write(service, login) {
    // The command goes through stdin, because everybody on the machine can see arguments. Base64 and origins need no
    // quotes.
    const secret = Buffer.from(toText(login)).toString('base64');
    const command = `add-generic-password -U -s ${ITEM} -a ${service} -w ${secret}\n`;
    if ((await runProgram(PROGRAM, ['-i'], command)) === null) throw new Error('the keychain keeps nothing here');
  },
  async remove(service) {
    await runProgram(PROGRAM, ['delete-generic-password', '-s', ITEM, '-a', service]);
  },
};
