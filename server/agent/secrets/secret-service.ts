import { runProgram } from './program.ts';
import { fromText, type LoginStore, toText } from './store.ts';

const PROGRAM = 'secret-tool';

/** The Secret Service of a Linux desktop (GNOME Keyring, KWallet), by libsecret's command. */
export const secretService: LoginStore = {
  place: 'the keyring of the desktop',
  async read(service) {
    const text = await runProgram(PROGRAM, ['lookup', 'application', 'plat', 'service', service]);
    return text === null ? null : fromText(text);
  },
  async write(service, login) {
    const args = ['store', `--label=Plat at ${service}`, 'application', 'plat', 'service', service];
    // The secret goes through stdin, because everybody on the machine can see arguments.
    if ((await runProgram(PROGRAM, args, toText(login))) === null) throw new Error('the keyring keeps nothing here');
  },
  async remove(service) {
    await runProgram(PROGRAM, ['clear', 'application', 'plat', 'service', service]);
  },
};
